// Faults: three numbers where Metal's float3 takes the room of four, and too many threads.
use objc2_metal::*;

#[repr(C)]
struct Params {
    centre: [f32; 3],
    radius: f32,
    count: u32,
}

fn run(device: &ProtocolObject<dyn MTLDevice>, commands: &ProtocolObject<dyn MTLCommandBuffer>) {
    let library = device.newDefaultLibrary().unwrap();
    let function = library.newFunctionWithName(ns_string!("clip")).unwrap();
    let pipeline = device.newComputePipelineStateWithFunction_error(&function).unwrap();
    let encoder = commands.computeCommandEncoder().unwrap();
    encoder.setComputePipelineState(&pipeline);
    let params = Params { centre: [0.0; 3], radius: 1.0, count: 4 };
    unsafe {
        // expect: member 'radius' of the value for index 1 lies at byte 12, but 'clip' reads it at byte 16; float3 takes the room of four numbers
        encoder.setBytes_length_atIndex(NonNull::from(&params).cast(), size_of::<Params>(), 1);
    }
    let group = MTLSize { width: 32, height: 64, depth: 1 };
    // expect: nothing is bound to index 0, which 'clip' uses for 'points'
    encoder.dispatchThreads_threadsPerThreadgroup(MTLSize { width: 64, height: 1, depth: 1 }, group); // expect: a threadgroup of 2048 threads
    encoder.endEncoding();
}
