// Honest: the crate metal, a struct with packed numbers, sizes in casts.
use metal::*;
use std::mem;

const POINTS: u64 = 0;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Packed {
    pub centre: [f32; 3],
    pub count: u32,
}

struct Loose<'a> {
    name: &'a str,
    quote: char,
}

pub fn run(device: &Device, queue: &CommandQueue, points: &BufferRef, n: u32) {
    let library = device.new_library_with_source(include_str!("k.metal"), &CompileOptions::new()).unwrap();
    let function = library.get_function("shift", None).unwrap();
    let pipeline = device
        .new_compute_pipeline_state_with_function(&function)
        .unwrap();
    let commands = queue.new_command_buffer();
    let encoder = commands.new_compute_command_encoder();
    let packed = Packed { centre: [0.0; 3], count: n };
    let quote = '"';
    encoder.set_compute_pipeline_state(&pipeline);
    encoder.set_buffer(POINTS, Some(points), 0);
    encoder.set_bytes(1, mem::size_of::<Packed>() as u64, &packed as *const Packed as *const _);
    encoder.dispatch_threads(MTLSize::new(n as u64, 1, 1), MTLSize::new(64, 1, 1));
    encoder.end_encoding();
}
