//! A plain lit surface: an eighth of the time of kiss3d's own material in software drivers.

use std::any::Any;

use kiss3d::prelude::{
    Camera3d, Context, GpuData, GpuMesh3d, InstancesBuffer3d, LightCollection, Material3d, ObjectData3d,
    PipelineCache, Pose3, Rc, RefCell, RenderContext, Vec3, multisample_state,
};
use kiss3d::resource::vertex_index::VERTEX_INDEX_FORMAT;

use crate::draw::image::to_srgb;

/// Bytes of three four by four matrices: view, projection, placement.
const UNIFORM_BYTES: u64 = 3 * 16 * 4;

/// A colour, linear RGB, as the number that the shader takes apart: kiss3d's corners have no colour, but
/// texture coordinates, and 24 bits are exact in the first of them. The second is the phase of the plies.
pub(super) fn pack(colour: [f32; 3]) -> f32 {
    let [r, g, b] = colour.map(|c| f32::from(to_srgb(c)));
    r * 65536.0 + g * 256.0 + b
}

/// The material.
pub(super) struct Lambert {
    pipelines: PipelineCache,
    layout: wgpu::BindGroupLayout,
}

impl Lambert {
    /// As kiss3d takes it.
    pub(super) fn shared() -> Rc<RefCell<Box<dyn Material3d + 'static>>> {
        Rc::new(RefCell::new(Box::new(Self::new())))
    }

    fn new() -> Self {
        let context = Context::get();
        let layout = context.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let pipeline_layout = context.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let shader = context.create_shader_module(Some("lambert"), include_str!("lambert.wgsl"));
        Self {
            pipelines: PipelineCache::new(move |samples| pipeline(&pipeline_layout, &shader, samples)),
            layout,
        }
    }
}

fn pipeline(
    layout: &wgpu::PipelineLayout,
    shader: &wgpu::ShaderModule,
    samples: u32,
) -> wgpu::RenderPipeline {
    let attribute = |format, shader_location| wgpu::VertexAttribute { format, offset: 0, shader_location };
    let points = [attribute(wgpu::VertexFormat::Float32x3, 0)];
    let normals = [attribute(wgpu::VertexFormat::Float32x3, 1)];
    let colours = [attribute(wgpu::VertexFormat::Float32x2, 2)];
    let step_mode = wgpu::VertexStepMode::Vertex;
    let buffer =
        |array_stride, attributes| Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes });
    let target = wgpu::ColorTargetState {
        format: Context::render_format(),
        blend: None,
        write_mask: wgpu::ColorWrites::ALL,
    };
    Context::get().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("lambert"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("vertex"),
            buffers: &[buffer(12, &points), buffer(12, &normals), buffer(8, &colours)],
            compilation_options: Default::default(),
        },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("fragment"),
            targets: &[Some(target)],
            compilation_options: Default::default(),
        }),
        primitive: wgpu::PrimitiveState { cull_mode: None, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: Context::depth_format(),
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: multisample_state(samples),
        multiview_mask: None,
        cache: None,
    })
}

/// The matrices of an object on the graphics card.
struct Uniforms {
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl GpuData for Uniforms {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Material3d for Lambert {
    fn create_gpu_data(&self) -> Box<dyn GpuData> {
        let context = Context::get();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = context.create_buffer_simple(None, UNIFORM_BYTES, usage);
        let group = context.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Box::new(Uniforms { buffer, group })
    }

    fn prepare(
        &mut self,
        pass: usize,
        pose: Pose3,
        scale: Vec3,
        camera: &mut dyn Camera3d,
        _lights: &LightCollection,
        _data: &ObjectData3d,
        gpu: &mut dyn GpuData,
        _width: u32,
        _height: u32,
    ) {
        let Some(uniforms) = gpu.as_any_mut().downcast_mut::<Uniforms>() else { return };
        let (view, projection) = camera.view_transform_pair(pass);
        let placement = pose.to_mat4() * kiss3d::glamx::Mat4::from_scale(scale);
        let matrices = [view.to_mat4(), projection, placement].map(|m| m.to_cols_array());
        Context::get().write_buffer(&uniforms.buffer, 0, bytemuck::cast_slice(matrices.as_flattened()));
    }

    fn render(
        &mut self,
        _pass: usize,
        _pose: Pose3,
        _scale: Vec3,
        _camera: &mut dyn Camera3d,
        _lights: &LightCollection,
        data: &ObjectData3d,
        mesh: &mut GpuMesh3d,
        _instances: &mut InstancesBuffer3d,
        gpu: &mut dyn GpuData,
        pass: &mut wgpu::RenderPass<'_>,
        context: &RenderContext,
    ) {
        let Some(uniforms) = gpu.as_any_mut().downcast_mut::<Uniforms>() else { return };
        let indices = mesh.num_indices();
        let Some((points, faces, normals, colours)) = mesh.ensure_on_gpu() else { return };
        if !data.surface_rendering_active() {
            return;
        }
        pass.set_pipeline(&self.pipelines.get(context.sample_count));
        pass.set_bind_group(0, &uniforms.group, &[]);
        pass.set_vertex_buffer(0, points.slice(..));
        pass.set_vertex_buffer(1, normals.slice(..));
        pass.set_vertex_buffer(2, colours.slice(..));
        pass.set_index_buffer(faces.slice(..), VERTEX_INDEX_FORMAT);
        pass.draw_indexed(0..indices, 0, 0..1);
    }
}
