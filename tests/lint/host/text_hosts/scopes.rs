// Honest, but for what is expected: variables that change, and sizes that are rounded up.
use metal::*;

const WIDTH: u64 = 2048;

#[repr(C)]
#[derive(Clone)]
struct Params {
    centre: [f32; 3],
}

struct Runner {
    pipeline: ComputePipelineState,
}

impl Runner {
    const GROUP: u64 = 512;

    fn count(library: &Library, device: &Device, commands: &CommandBufferRef, buffers: &[Buffer]) {
        let function = library.get_function("saxpy", None).unwrap();
        let pipeline = device.new_compute_pipeline_state_with_function(&function).unwrap();
        let encoder = commands.new_compute_command_encoder();
        encoder.set_compute_pipeline_state(&pipeline);
        let mut i = 0;
        for each in buffers {
            encoder.set_buffer(i, Some(each), 0);
            i += 1;
        }
        let mut side = 4096;
        limit(&mut side);
        encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(side, 1, 1));
        encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(WIDTH.min(1024), 1, 1));
        encoder.end_encoding();
    }

    fn parameters(&self, commands: &CommandBufferRef, side: u64, i: u64, x: &Buffer) {
        let encoder = commands.new_compute_command_encoder();
        encoder.set_compute_pipeline_state(&self.pipeline);
        encoder.set_buffer(i, Some(x), 0);
        encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(side, 1, 1));
        encoder.end_encoding();
    }

    fn sizes(library: &Library, device: &Device, encoder: &ComputeCommandEncoderRef, last: Option<u64>) {
        let function = library.get_function("clip", None).unwrap();
        let pipeline = device.new_compute_pipeline_state_with_function(&function).unwrap();
        encoder.set_compute_pipeline_state(&pipeline);
        let params = Params { centre: [1.0, 2.0, 3.0] };
        let bytes = std::mem::size_of::<Params>().next_multiple_of(32) as u64;
        encoder.set_bytes(1, bytes, &params as *const Params as *const _);
        encoder.set_bytes(1, std::mem::size_of::<Params>().next_multiple_of(32) as u64, &params as *const Params as *const _);
        if let Some(side) = last {
            encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(side, 1, 1));
        }
        match last {
            Some(side) => encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(side, 1, 1)),
            None => (),
        }
        let each = |side: u64| encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(side, 1, 1));
    }

    fn faults(library: &Library, device: &Device, commands: &CommandBufferRef, x: &Buffer) {
        let side = 2;
        let function = library.get_function("fill", None).unwrap();
        let pipeline = device.new_compute_pipeline_state_with_function(&function).unwrap();
        let encoder = commands.new_compute_command_encoder();
        encoder.set_compute_pipeline_state(&pipeline);
        encoder.set_buffer(0, Some(x), 0);
        encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(Self::GROUP, side, 1)); // expect: a threadgroup of 1024 threads is dispatched, but 'fill' allows 256
        encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(WIDTH, 1, 1)); // expect: a threadgroup of 2048 threads
        encoder.end_encoding();
    }
}
