//! Triangles to samples, in bands of rows that do not depend on the number of threads.

use super::camera::View;
use super::mesh::{Mesh, Vertex};

/// Rows of a band. Low enough for two dozen bands to keep many threads busy, high enough that walking all
/// triangles in each of them costs little.
pub(crate) const BAND_ROWS: usize = 64;

/// A triangle on a plane of samples.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    /// Column, row and a depth that is linear on the plane and grows towards the eye.
    pub(crate) corners: [[f32; 3]; 3],
    /// Its corners in the mesh.
    pub(crate) vertices: [u32; 3],
}

/// Triangles of a run, which a band skips together: next ones on a tube are near one another.
const RUN: usize = 128;

/// Triangles in runs whose rows are known.
#[derive(Debug, Default)]
pub(crate) struct Triangles {
    list: Vec<Triangle>,
    /// Least and greatest row of each run.
    rows: Vec<[f32; 2]>,
}

impl Triangles {
    /// An empty list with room.
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { list: Vec::with_capacity(n), rows: Vec::with_capacity(n / RUN + 1) }
    }

    /// Appends a triangle.
    pub(crate) fn push(&mut self, triangle: Triangle) {
        if self.list.len().is_multiple_of(RUN) {
            self.rows.push([f32::INFINITY, f32::NEG_INFINITY]);
        }
        if let Some(rows) = self.rows.last_mut() {
            *rows = triangle.corners.iter().fold(*rows, |[low, high], c| [low.min(c[1]), high.max(c[1])]);
        }
        self.list.push(triangle);
    }

    /// The triangles of the runs that reach into a range of rows, in order.
    pub(crate) fn within(&self, rows: &std::ops::Range<usize>) -> impl Iterator<Item = &Triangle> {
        let (start, end) = (rows.start as f32, rows.end as f32);
        let runs = self.list.chunks(RUN).zip(&self.rows);
        runs.filter(move |(_, [low, high])| *high >= start && *low <= end).flat_map(|(run, _)| run)
    }
}

/// The triangles of a mesh that face the view and are on its picture.
///
/// Triangles that reach behind the near plane are cut; the new corners are appended to the mesh.
pub(crate) fn project(mesh: &mut Mesh, view: &View) -> Triangles {
    let n_triangles = mesh.triangles.len();
    let mut screen: Vec<_> = mesh.vertices.iter().map(|v| screen_point(v, view)).collect();
    let mut out = Triangles::with_capacity(n_triangles / 2);
    for k in 0..n_triangles {
        let vertices = mesh.triangles[k];
        if vertices.iter().all(|&i| screen[i as usize].is_some()) {
            emit(vertices, &screen, view.size, &mut out);
        } else if vertices.iter().any(|&i| screen[i as usize].is_some()) {
            let polygon = clip(mesh, vertices, view);
            screen.extend(mesh.vertices[screen.len()..].iter().map(|v| screen_point(v, view)));
            for i in 2..polygon.len() {
                emit([polygon[0], polygon[i - 1], polygon[i]], &screen, view.size, &mut out);
            }
        }
    }
    out
}

/// Calls `visit(column, row, weights)` for each sample in a triangle, rows limited to a range.
pub(crate) fn scan(
    corners: &[[f32; 3]; 3],
    width: usize,
    rows: &std::ops::Range<usize>,
    mut visit: impl FnMut(usize, usize, [f32; 3]),
) {
    let [a, b, c] = corners;
    let lines = span([a[1], b[1], c[1]], rows.clone());
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if lines.is_empty() || area == 0.0 || !area.is_finite() {
        return;
    }
    let columns = span([a[0], b[0], c[0]], 0..width);
    let inverse = 1.0 / area;
    // Weight of a corner: the area beyond the opposite edge over the whole area; it falls by a constant a column.
    let (step_a, step_b) = ((b[1] - c[1]) * inverse, (c[1] - a[1]) * inverse);
    for y in lines {
        let (px, py) = (columns.start as f32 + 0.5, y as f32 + 0.5);
        let start_a = ((b[0] - px) * (c[1] - py) - (c[0] - px) * (b[1] - py)) * inverse;
        let start_b = ((c[0] - px) * (a[1] - py) - (a[0] - px) * (c[1] - py)) * inverse;
        for x in columns.clone() {
            let k = (x - columns.start) as f32;
            let (u, v) = (start_a + k * step_a, start_b + k * step_b);
            let w = 1.0 - u - v;
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                visit(x, y, [u, v, w]);
            }
        }
    }
}

/// The depth at weights of a triangle's corners.
pub(crate) fn depth(corners: &[[f32; 3]; 3], weight: [f32; 3]) -> f32 {
    corners[0][2] * weight[0] + corners[1][2] * weight[1] + corners[2][2] * weight[2]
}

fn screen_point(vertex: &Vertex, view: &View) -> Option<[f32; 3]> {
    (view.depth(vertex.position) >= view.near).then(|| view.project(vertex.position))
}

fn emit(vertices: [u32; 3], screen: &[Option<[f32; 3]>], size: [usize; 2], out: &mut Triangles) {
    let [Some(a), Some(b), Some(c)] = vertices.map(|i| screen[i as usize]) else { return };
    // Rows grow downward: what is counter-clockwise in space has a negative area here.
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    let on_screen = |k: usize| !span([a[k], b[k], c[k]], 0..size[k]).is_empty();
    if area < 0.0 && on_screen(0) && on_screen(1) {
        out.push(Triangle { corners: [a, b, c], vertices });
    }
}

/// Samples between the least and the greatest of three coordinates; sample `k` is at `k + 1/2`.
fn span(values: [f32; 3], limits: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let low = values[0].min(values[1]).min(values[2]) - 0.5;
    let high = values[0].max(values[1]).max(values[2]) + 0.5;
    // The whole numbers above `low` up to `high`; a cast is quicker than `ceil`.
    let start = ((low.max(-1.0) + 1.0).max(0.0) as usize).max(limits.start);
    let end = (high.max(0.0) as usize).min(limits.end);
    start..end.max(start)
}

/// The part of a triangle before the near plane (Sutherland and Hodgman, 1974), new corners appended.
fn clip(mesh: &mut Mesh, vertices: [u32; 3], view: &View) -> Vec<u32> {
    let mut polygon = Vec::with_capacity(4);
    for k in 0..3 {
        let ends = [vertices[k], vertices[(k + 1) % 3]];
        let [a, b] = ends.map(|i| mesh.vertices[i as usize]);
        let [height_a, height_b] = [a, b].map(|v| view.depth(v.position) - view.near);
        if height_a >= 0.0 {
            polygon.push(ends[0]);
        }
        if (height_a >= 0.0) != (height_b >= 0.0) {
            let t = height_a / (height_a - height_b);
            let mut cut = Vertex::mean([&a, &b, &b], [1.0 - t, t, 0.0]);
            // Rounding must not put the cut behind the plane again.
            cut.position += view.axes[2] * (view.near * 1.000_01 - view.depth(cut.position)).max(0.0);
            polygon.push(mesh.vertices.len() as u32);
            mesh.vertices.push(cut);
        }
    }
    polygon
}
