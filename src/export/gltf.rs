//! Binary glTF: a tube a yarn, a material a colour.
//!
//! glTF has `y` up, so all stands below a node that turns `z` there.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::f32::consts::FRAC_1_SQRT_2;
use std::io::{self, Write};

use gltf::Glb;
use gltf::binary::Header;
use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Target as Usage, View};
use gltf::json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::scene::UnitQuaternion;
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Accessor, Asset, Buffer, Index, Material, Mesh as GltfMesh, Node, Root, Scene, Value};

use super::strand::{bounds, palette, yarn_name};
use super::tubes::{tubes, unique_corners};
use super::{Feature, Format, Shot};
use crate::draw::V3;
use crate::draw::mesh::Mesh;
use crate::draw::solid::GREY;

/// Binary glTF.
pub(super) const FORMAT: Format = Format {
    name: "gltf",
    about: "closed tubes, a node a yarn, a material a colour; a .glb a frame",
    features: &[Feature::Smooth, Feature::Tubes, Feature::Obstacles],
    open: |target| Ok(Box::new(target.each("glb", write))),
};

/// Roughness of yarns and obstacles, 0 to 1.
const ROUGHNESS: f32 = 0.8;

/// Lengths of a .glb are of 32 bits.
const TOO_LARGE: &str = "a .glb holds less than 4 GiB: make coarser tubes, as by --smooth 2 --sides 6";

fn write(shot: &Shot<'_>, out: &mut dyn Write) -> io::Result<()> {
    let layout = &shot.frame.layout;
    let (colours, of) = palette(layout);
    let mut file = Document::new();
    let materials: Vec<_> =
        colours.iter().enumerate().map(|(i, c)| file.material(format!("colour_{i}"), *c)).collect();
    let mut children: Vec<_> = tubes(shot)
        .enumerate()
        .map(|(rod, mesh)| file.node(yarn_name(layout, rod), &mesh, materials[of[rod]]))
        .collect();
    let sheets = shot.sheets.iter().zip(&of[layout.rods.len()..]);
    children.extend(sheets.map(|((name, mesh), &k)| file.node(name.clone(), mesh, materials[k])));
    if !shot.solids.is_empty() {
        let material = file.material("obstacle".into(), GREY);
        children.extend(shot.solids.iter().map(|(name, mesh)| file.node(name.clone(), mesh, material)));
    }
    file.write(layout.scene.clone(), children, out)
}

/// A glTF file in the making: what there is, and the bytes that it refers to.
struct Document {
    root: Root,
    buffer: Index<Buffer>,
    bytes: Vec<u8>,
}

impl Document {
    fn new() -> Self {
        let generator = Some(concat!("hebra ", env!("CARGO_PKG_VERSION")).to_owned());
        let mut root = Root { asset: Asset { generator, ..Asset::default() }, ..Root::default() };
        let buffer = root.push(Buffer {
            byte_length: USize64(0),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        Self { root, buffer, bytes: Vec::new() }
    }

    fn material(&mut self, name: String, [r, g, b]: [f32; 3]) -> Index<Material> {
        let pbr_metallic_roughness = PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(ROUGHNESS),
            ..PbrMetallicRoughness::default()
        };
        self.root.push(Material { name: Some(name), pbr_metallic_roughness, ..Material::default() })
    }

    /// A node with a mesh.
    fn node(&mut self, name: String, mesh: &Mesh, material: Index<Material>) -> Index<Node> {
        let corners = unique_corners(mesh);
        let positions = self.vectors(corners.items.iter().map(|v| v.0));
        let normals = self.vectors(corners.items.iter().map(|v| v.1));
        let indices = self.indices(mesh.triangles.iter().flatten().map(|&i| corners.of[i as usize]));
        let attributes = [(Semantic::Positions, positions), (Semantic::Normals, normals)];
        let primitive = Primitive {
            attributes: attributes
                .into_iter()
                .map(|(k, v)| (Checked::Valid(k), v))
                .collect::<BTreeMap<_, _>>(),
            indices: Some(indices),
            material: Some(material),
            mode: Default::default(),
            targets: None,
            extensions: None,
            extras: Default::default(),
        };
        let mesh = self.root.push(GltfMesh {
            name: Some(name.clone()),
            primitives: vec![primitive],
            weights: None,
            extensions: None,
            extras: Default::default(),
        });
        self.root.push(Node { name: Some(name), mesh: Some(mesh), ..Node::default() })
    }

    /// Vectors with the box around them.
    fn vectors(&mut self, vectors: impl Iterator<Item = V3> + Clone) -> Index<Accessor> {
        let (low, high) = bounds(vectors.clone());
        let bytes = vectors.flat_map(|v| v.data.0[0]).flat_map(f32::to_le_bytes);
        let (view, count) = self.view(bytes, Usage::ArrayBuffer, 12);
        let value = |v: V3| Some(Value::from(v.data.0[0].to_vec()));
        let accessor = accessor(view, count, ComponentType::F32, Type::Vec3);
        self.root.push(Accessor { min: value(low), max: value(high), ..accessor })
    }

    fn indices(&mut self, indices: impl Iterator<Item = u32>) -> Index<Accessor> {
        let (view, count) = self.view(indices.flat_map(u32::to_le_bytes), Usage::ElementArrayBuffer, 4);
        self.root.push(accessor(view, count, ComponentType::U32, Type::Scalar))
    }

    /// Appends bytes and says how many items of a size they are.
    fn view(&mut self, bytes: impl Iterator<Item = u8>, usage: Usage, item: usize) -> (Index<View>, usize) {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - start;
        let view = self.root.push(View {
            buffer: self.buffer,
            byte_length: length.into(),
            byte_offset: Some(start.into()),
            byte_stride: None,
            name: None,
            target: Some(Checked::Valid(usage)),
            extensions: None,
            extras: Default::default(),
        });
        (view, length / item)
    }

    /// Writes the file with a scene of some nodes.
    fn write(mut self, name: String, children: Vec<Index<Node>>, out: &mut dyn Write) -> io::Result<()> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(io::Error::other(TOO_LARGE));
        }
        self.root.buffers[0].byte_length = self.bytes.len().into();
        let upright = UnitQuaternion([-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2]);
        let all =
            Node { name: Some(name), rotation: Some(upright), children: Some(children), ..Node::default() };
        let nodes = vec![self.root.push(all)];
        let scene = Scene { nodes, name: None, extensions: None, extras: Default::default() };
        self.root.scene = Some(self.root.push(scene));
        let json = self.root.to_vec().map_err(io::Error::other)?;
        // The lengths are found again on writing.
        let header = Header { magic: *b"glTF", version: 2, length: 0 };
        let glb = Glb { header, json: Cow::Owned(json), bin: Some(Cow::Owned(self.bytes)) };
        glb.to_writer(out).map_err(io::Error::other)
    }
}

fn accessor(view: Index<View>, count: usize, component: ComponentType, kind: Type) -> Accessor {
    Accessor {
        buffer_view: Some(view),
        byte_offset: Some(USize64(0)),
        count: count.into(),
        component_type: Checked::Valid(GenericComponentType(component)),
        type_: Checked::Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
        extensions: None,
        extras: Default::default(),
    }
}
