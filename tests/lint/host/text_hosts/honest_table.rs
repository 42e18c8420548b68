// Honest: pipelines in a map by name, values behind a generic function.
use metal::*;
use std::collections::HashMap;

#[repr(C)]
#[derive(Clone, Copy)]
struct Params {
    centre: [f32; 4],
    radius: f32,
}

pub struct Kernels {
    device: Device,
    library: Library,
    pipelines: HashMap<&'static str, ComputePipelineState>,
}

impl Kernels {
    pub fn load(&mut self, name: &'static str) -> &ComputePipelineState {
        if !self.pipelines.contains_key(name) {
            let function = self.library.get_function(name, None).unwrap();
            let pipeline = self.device.new_compute_pipeline_state_with_function(&function).unwrap();
            self.pipelines.insert(name, pipeline);
        }
        &self.pipelines[name]
    }
}

fn set<T>(encoder: &ComputeCommandEncoderRef, index: u64, value: &T) {
    encoder.set_bytes(index, std::mem::size_of::<T>() as u64, value as *const T as *const _);
}

pub fn saxpy(kernels: &mut Kernels, commands: &CommandBufferRef, x: &Buffer, y: &Buffer, a: f32, n: u32) {
    let pipeline = kernels.load("saxpy").clone();
    let encoder = commands.new_compute_command_encoder();
    encoder.set_compute_pipeline_state(&pipeline);
    encoder.set_buffer(0, Some(x), 0);
    encoder.set_buffer(1, Some(y), 0);
    set(encoder, 2, &a);
    set(encoder, 3, &n);
    encoder.dispatch_threads(MTLSize::new(n as u64, 1, 1), MTLSize::new(64, 1, 1));
    encoder.end_encoding();
}
