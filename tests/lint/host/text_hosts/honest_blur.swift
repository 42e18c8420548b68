// Honest: functions that draw lie in the same library; a heap of bytes is read as floats.
import MetalKit

final class Renderer: NSObject, MTKViewDelegate {
  let pipeline: MTLRenderPipelineState
  let fill: MTLComputePipelineState
  let bytes: MTLBuffer
  let queue: MTLCommandQueue

  init(view: MTKView) throws {
    let device = view.device!
    let library = device.makeDefaultLibrary()!
    let descriptor = MTLRenderPipelineDescriptor()
    descriptor.vertexFunction = library.makeFunction(name: "quad_vertex")
    descriptor.fragmentFunction = library.makeFunction(name: "quad_fragment")
    pipeline = try device.makeRenderPipelineState(descriptor: descriptor)
    fill = try device.makeComputePipelineState(function: library.makeFunction(name: "fill")!)
    bytes = device.makeBuffer(length: 4096 * MemoryLayout<UInt8>.stride, options: [])!
    queue = device.makeCommandQueue()!
  }

  func draw(in view: MTKView) {
    let commands = queue.makeCommandBuffer()!
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(fill)
    encoder.setBuffer(bytes, offset: 0, index: 0)
    encoder.dispatchThreads(MTLSizeMake(1024, 1, 1), threadsPerThreadgroup: MTLSizeMake(64, 1, 1))
    encoder.endEncoding()
    commands.commit()
  }

  func mtkView(_ view: MTKView, drawableSizeWillChange size: CGSize) {}
}
