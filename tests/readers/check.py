"""Reads what `hebra export` writes with the libraries that others read it with.

    python3 -m venv target/readers && target/readers/bin/pip install -r tests/readers/requirements.txt
    target/readers/bin/python tests/readers/check.py out/drape

Says what each reader found, and fails if two formats do not hold the same curves.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pygltflib
import pyvista
import trimesh
from pxr import Gf, Usd, UsdGeom, UsdValidation

PIECES = 3
SIDES = 8


def export(record, folder, name, *more):
    """Runs `hebra export` into a folder of its own and returns it."""
    out = folder / "-".join((name, *more)).replace("--", "")
    program = Path(__file__).parents[2] / "target/release/hebra"
    subprocess.run([program, "export", record, "--to", name, "--out", out, "--quiet", *more], check=True)
    return out


def last(folder, pattern):
    return sorted(folder.glob(pattern))[-1]


def check_csv(folder):
    """Nodes by rod, as simulated."""
    with open(last(folder, "*.csv")) as file:
        rows = list(csv.DictReader(file))
    rods = np.array([int(row["rod"]) for row in rows])
    points = np.array([[float(row[c]) for c in "xyz"] for row in rows])
    arcs = np.array([float(row["arc"]) for row in rows], np.float32)
    assert np.isfinite(points).all()
    print(f"csv    {len(rows)} nodes of {rods[-1] + 1} yarns")
    return np.bincount(rods), points, arcs


def check_bcc(folder, n_nodes):
    """The header as in Yuksel's C++ struct, then the curves."""
    header = np.dtype(
        [("sign", "S3"), ("bytes", "u1"), ("type", "S2"), ("dimensions", "u1"), ("up", "u1"),
         ("curves", "<u8"), ("points", "<u8"), ("remark", "S40")]
    )  # fmt: skip
    data = last(folder, "*.bcc").read_bytes()
    head = np.frombuffer(data, header, 1)[0]
    assert header.itemsize == 64
    assert (head["sign"], head["bytes"], head["type"]) == (b"BCC", 0x44, b"C0")
    assert (head["dimensions"], head["up"]) == (3, 2)
    at, curves = 64, []
    for _ in range(head["curves"]):
        count = int(np.frombuffer(data, "<i4", 1, at)[0])
        curves.append(np.frombuffer(data, "<f4", 3 * count, at + 4).reshape(-1, 3))
        at += 4 + 12 * count
    assert at == len(data) and sum(map(len, curves)) == head["points"]
    assert [len(c) for c in curves] == [PIECES * (n - 1) + 1 for n in n_nodes]
    print(f"bcc    {len(curves)} curves, {head['points']} points, {head['remark'].decode()!r}")
    return curves


def check_obj_lines(folder, curves):
    mesh = pyvista.read(last(folder, "*.obj"))
    assert mesh.n_lines == len(curves)
    assert np.array_equal(mesh.points.astype(np.float32), np.concatenate(curves))
    print(f"obj    vtkOBJReader: {mesh.n_lines} poly-lines, the points of bcc")


def check_tubes(name, scene, curves, radii, n_obstacles, upright):
    """Closed tubes of the right volume; `upright` takes z to the file's upward axis."""
    parts = list(scene.geometry.items())
    yarns = [(n, g) for n, g in parts if not n.startswith("obstacle")]
    yarns.sort(key=lambda part: int(part[0].rsplit("_", 1)[1]))
    assert (len(yarns), len(parts) - len(yarns)) == (len(curves), n_obstacles)
    for (part, mesh), curve, radius in zip(yarns, curves, radii):
        mesh = trimesh.Trimesh(mesh.vertices, mesh.faces)
        mesh.merge_vertices()
        assert mesh.is_watertight and mesh.is_winding_consistent, part
        length = np.linalg.norm(np.diff(curve.astype(float), axis=0), axis=1).sum()
        assert abs(mesh.volume / (np.pi * radius**2 * length) - 1) < 0.05, (part, mesh.volume)
    points = np.concatenate(curves) @ np.array(upright).T
    low, high = zip(*(g.bounds for n, g in scene_in_world(scene) if not n.startswith("obstacle")))
    reach = 1.2 * max(radii)
    assert np.abs(np.min(low, axis=0) - points.min(axis=0)).max() < reach
    assert np.abs(np.max(high, axis=0) - points.max(axis=0)).max() < reach
    print(f"{name} trimesh: {len(yarns)} closed tubes, {n_obstacles} obstacles, first {yarns[0][0]!r}")


def scene_in_world(scene):
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        mesh = scene.geometry[name].copy()
        yield name, mesh.apply_transform(transform)


def check_gltf(folder, n_yarns):
    file = pygltflib.GLTF2().load(str(last(folder, "*.glb")))
    blob = file.binary_blob()
    for mesh in file.meshes:
        normals = file.accessors[mesh.primitives[0].attributes.NORMAL]
        view = file.bufferViews[normals.bufferView]
        values = np.frombuffer(blob, "<f4", 3 * normals.count, view.byteOffset).reshape(-1, 3)
        assert np.abs(np.linalg.norm(values, axis=1) - 1).max() < 1e-3
    assert len(file.meshes) >= n_yarns
    print(f"gltf   pygltflib: {len(file.meshes)} meshes, {len(file.materials)} materials, unit normals")


def check_vtk(folder, n_frames, curves, arcs, n_obstacles):
    reader = pyvista.PVDReader(folder / "frames.pvd")
    assert len(reader.time_values) == n_frames
    reader.set_active_time_value(reader.time_values[-1])
    yarns, *obstacles = reader.read()
    assert len(obstacles) == min(n_obstacles, 1)
    assert yarns.n_lines == len(curves) and np.array_equal(yarns.points, np.concatenate(curves))
    node = yarns["node"]
    assert np.array_equal(node[node >= 0], np.arange(len(arcs)))
    assert np.array_equal(yarns["arc"][node >= 0], arcs)
    assert all(np.isfinite(yarns[name]).all() for name in yarns.point_data)
    tubes = yarns.tube(scalars="radius", absolute=True)
    assert tubes.n_cells > 0
    print(f"vtk    pyvista: {n_frames} times, of points {yarns.point_data.keys()}, of lines {yarns.cell_data.keys()}")
    return [yarns["radius"][start] for start in np.cumsum([0] + [len(c) for c in curves[:-1]])]


def check_usda(folder, n_frames, curves, radii, n_obstacles):
    stage = Usd.Stage.Open(str(folder / "frames.usda"))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Z"
    prim = UsdGeom.BasisCurves(stage.GetPrimAtPath("/Cloth/Yarns"))
    times = prim.GetPointsAttr().GetTimeSamples()
    assert len(times) == n_frames
    assert (times[0], times[-1]) == (stage.GetStartTimeCode(), stage.GetEndTimeCode())
    for time in times:
        counts, points = (a.Get(time) for a in (prim.GetCurveVertexCountsAttr(), prim.GetPointsAttr()))
        assert sum(counts) == len(points) == len(prim.GetWidthsAttr().Get(time))
        assert UsdGeom.BasisCurves.ComputeInterpolationForSize(prim, len(points), time) == "vertex"
    assert prim.GetWidthsInterpolation() == "vertex"
    low, high = prim.GetExtentAttr().Get(times[-1])
    found = np.array(points)
    reach = max(radii) * 1.001
    assert (found.min(axis=0) >= np.array(low)).all() and (found.max(axis=0) <= np.array(high)).all()
    assert np.abs(found.min(axis=0) - np.array(low)).max() < reach
    starts = np.cumsum([0, *counts])
    for curve, start, count, radius in zip(curves, starts.tolist(), counts, radii):
        spans = found[start : start + count]
        assert np.allclose(spans[::3], curve[::PIECES], atol=1e-7)
        a, b, c, d = (spans[k : len(spans) - 3 + k : 3] for k in range(4))
        s = 1 / PIECES
        inside = (1 - s) ** 3 * a + 3 * (1 - s) ** 2 * s * b + 3 * (1 - s) * s**2 * c + s**3 * d
        assert np.allclose(inside, curve[1::PIECES], atol=1e-7)
        assert np.isclose(prim.GetWidthsAttr().Get(times[-1])[start], 2 * radius)
    colours = UsdGeom.Primvar(prim.GetDisplayColorPrimvar())
    assert colours.GetInterpolation() == "uniform" and len(colours.Get(times[-1])) == len(curves)
    meshes = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    assert len(meshes) == n_obstacles
    for mesh in meshes:
        valid, why = UsdGeom.Mesh.ValidateTopology(
            mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(), len(mesh.GetPointsAttr().Get())
        )
        assert valid, why
        assert Gf.IsClose(mesh.ComputeLocalToWorldTransform(times[-1]).GetDeterminant(), 1, 1e-9)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    problems = [e.GetErrorAsString() for e in UsdValidation.ValidationContext(validators).Validate(stage)]
    assert not problems, problems
    rate = stage.GetTimeCodesPerSecond()
    print(f"usda   usd-core: {len(counts)} curves, {len(times)} samples, {rate} a second, {len(validators)} validators")


def main():
    record = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        smooth = ("--smooth", str(PIECES))
        n_frames = len(list(export(record, folder, "csv").glob("*.csv")))
        n_nodes, nodes, arcs = check_csv(folder / "csv")
        curves = check_bcc(export(record, folder, "bcc", *smooth), n_nodes)
        check_obj_lines(export(record, folder, "obj", *smooth, "--frame", "-1"), curves)
        vtk = export(record, folder, "vtk", *smooth, "--obstacles")
        n_obstacles = count_obstacles(vtk)
        radii = check_vtk(vtk, n_frames, curves, arcs, n_obstacles)
        tubes = (*smooth, "--frame", "-1", "--obstacles", "--sides", str(SIDES))
        obj = trimesh.load_scene(last(export(record, folder, "obj", "--tubes", *tubes), "*.obj"), split_objects=True, group_material=False)
        check_tubes("obj   ", obj, curves, radii, n_obstacles, np.eye(3))
        glb = export(record, folder, "gltf", *tubes)
        check_gltf(glb, len(curves))
        upright = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
        check_tubes("gltf  ", trimesh.load_scene(last(glb, "*.glb")), curves, radii, n_obstacles, upright)
        check_usda(export(record, folder, "usda", "--obstacles"), n_frames, curves, radii, n_obstacles)


def count_obstacles(folder):
    files = sorted(folder.glob("obstacles_*.vtp"))
    return int(pyvista.read(files[-1])["obstacle"].max()) + 1 if files else 0


if __name__ == "__main__":
    main()
