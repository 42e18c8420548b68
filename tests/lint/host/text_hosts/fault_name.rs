// Faults: a kernel's name with another letter, and a value of too few bytes.
use metal::*;

pub fn run(device: &Device, library: &Library, commands: &CommandBufferRef, x: &Buffer, y: &Buffer) {
    // expect: this host asks for kernel 'file', but no source defines it
    let fill = library.get_function("file", None).unwrap();
    let function = library.get_function("saxpy", None).unwrap();
    let pipeline = device.new_compute_pipeline_state_with_function(&function).unwrap();
    let encoder = commands.new_compute_command_encoder();
    encoder.set_compute_pipeline_state(&pipeline);
    encoder.set_buffer(0, Some(x), 0);
    encoder.set_buffer(1, Some(y), 0);
    let a = 2.0f32;
    let n = 64u16;
    encoder.set_bytes(2, 4, &a as *const f32 as *const _);
    // expect: 2 bytes are bound to index 3, but 'saxpy' needs 4 for 'n'
    encoder.set_bytes(3, std::mem::size_of::<u16>() as u64, &n as *const u16 as *const _);
    encoder.dispatch_threads(MTLSize::new(64, 1, 1), MTLSize::new(64, 1, 1));
    encoder.end_encoding();
}
