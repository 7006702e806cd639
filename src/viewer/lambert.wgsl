// A surface lit by the sky, by the camera's own light and by a key light over its left shoulder.

struct Matrices {
    view: mat4x4<f32>,
    projection: mat4x4<f32>,
    placement: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> matrices: Matrices;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec3<f32>,
    @location(2) phase: f32,
}

@vertex
fn vertex(
    @location(0) point: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) packed: vec2<f32>,
) -> Corner {
    let to_view = matrices.view * matrices.placement;
    let code = u32(packed.x);
    let srgb = vec3<f32>(f32(code >> 16u), f32((code >> 8u) & 255u), f32(code & 255u)) / 255.0;
    var corner: Corner;
    corner.position = matrices.projection * (to_view * vec4<f32>(point, 1.0));
    corner.normal = (to_view * vec4<f32>(normal, 0.0)).xyz;
    corner.colour = pow(srgb, vec3<f32>(2.2));
    corner.phase = packed.y;
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let normal = normalize(corner.normal);
    let key = max(dot(normal, vec3<f32>(-0.41, 0.82, 0.41)), 0.0);
    let light = 0.25 + 0.35 * abs(normal.z) + 0.5 * key;
    // Grooves between the plies, where they are more than a few pixels apart.
    let across = 2.0 * fract(corner.phase) - 1.0;
    let strength = 0.4 * clamp(1.0 - 4.0 * fwidth(corner.phase), 0.0, 1.0);
    let groove = 1.0 - strength * across * across * across * across;
    return vec4<f32>(corner.colour * light * groove, 1.0);
}
