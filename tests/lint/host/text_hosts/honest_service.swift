// Honest: pipelines in a dictionary by an enumeration's raw values, a service that others call.
import Metal

enum Kernel: String, CaseIterable {
  case saxpy, clip, shift, fill
}

struct Params {
  var centre: SIMD3<Float>
  var radius: Float
  var count: UInt32
}

final class Service {
  static let shared = Service()
  let device = MTLCreateSystemDefaultDevice()!
  lazy var queue = device.makeCommandQueue()!
  private var pipelines: [Kernel: MTLComputePipelineState] = [:]

  init() {
    let library = device.makeDefaultLibrary()!
    for kernel in Kernel.allCases {
      let function = library.makeFunction(name: kernel.rawValue)!
      pipelines[kernel] = try? device.makeComputePipelineState(function: function)
    }
  }

  func clip(_ points: MTLBuffer, params: Params) {
    var values = params
    let commands = queue.makeCommandBuffer()!
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(pipelines[.clip]!)
    encoder.setBuffer(points, offset: 0, index: 0)
    encoder.setBytes(&values, length: MemoryLayout<Params>.stride, index: 1)
    encoder.dispatchThreads(MTLSize(width: Int(params.count), height: 1, depth: 1),
                            threadsPerThreadgroup: MTLSize(width: 64, height: 1, depth: 1))
    encoder.endEncoding()
    commands.commit()
  }
}
