#include "engine/device/opencl/opencl_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/opencl/opencl_queue.h"
#include "engine/device/plan_runner.h"

namespace msci {
namespace {

// Metal's default is fast math. Its rearrangements were made when the kernel was optimised, before
// it became text; left for the driver are fused multiply-adds and the sign of zero. Not
// -cl-fast-relaxed-math: it lets drivers assume that no NaN or infinity exists, and drop a kernel's
// tests for them.
constexpr const char* build_options = "-cl-std=CL1.2 -w -cl-mad-enable -cl-no-signed-zeros";

// NVIDIA's warps are simdgroups of 32 lanes in the order of thread indices, and its OpenCL takes
// inline PTX: there kernels use them directly. Anywhere else they wait for each other
// (compiler/ir/lane_functions.h).
std::string build_options_for(const DeviceInfo& device) {
  const bool native =
      device.kind == DeviceInfo::Kind::gpu && device.vendor.find("NVIDIA") != std::string::npos;
  return std::string(build_options) + (native ? " -DMSCI_NATIVE_SIMDGROUPS" : "");
}

constexpr std::size_t build_log_limit = 4000;  // characters of a driver's log that are passed on

std::string build_log(cl_program program, cl_device_id device, cl_int status) {
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  log.resize(std::min(log.find_last_not_of(std::string_view(" \n\0", 3)) + 1, build_log_limit));
  return log.empty() ? status_name(status) : log;
}

Result<Attempt<OwnedOpencl<cl_program>>> build_text(const Translation& translation,
                                                    cl_context context, cl_device_id device,
                                                    const std::string& options) {
  const auto refusal = [](std::string why) {
    return Attempt<OwnedOpencl<cl_program>>{Failure{Failure::Cause::build, std::move(why)}};
  };
  const char* source = translation.text.data();
  const std::size_t length = translation.text.size();
  cl_int status = CL_SUCCESS;
  OwnedOpencl<cl_program> program(clCreateProgramWithSource(context, 1, &source, &length, &status));
  if (auto error = failed(status, "clCreateProgramWithSource")) return *error;
  status = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) return refusal(build_log(program.get(), device, status));
  for (const auto& kernel : translation.kernels) {
    OwnedOpencl<cl_kernel> made(clCreateKernel(program.get(), kernel.symbol.c_str(), &status));
    if (status != CL_SUCCESS)
      return refusal(fmt::format("kernel {}: {}", kernel.symbol, status_name(status)));
  }
  return Attempt<OwnedOpencl<cl_program>>{std::move(program)};
}

// The text is built with `restrict` for plans whose launches share no buffers among parameters. For
// other plans it is built again without.
class OpenclProgram : public QueueProgram {
 public:
  OpenclProgram(const FoundOpenclDevice& device, cl_context context, cl_command_queue queue,
                OpenclAddresses& addresses, OwnedOpencl<cl_program> with_restrict,
                const Translation& translation)
      : QueueProgram(device.info, translation),
        device_(device),
        context_(context),
        queue_(queue),
        addresses_(addresses),
        with_restrict_(std::move(with_restrict)) {}

 private:
  Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan& plan,
                                                     bool /*is_repeat*/) override {
    const bool shares = may_share_buffers(plan, translation());
    if (shares && !without_restrict_) {
      auto built = build_text(translation(), context_, device_.id, build_options_for(device_.info));
      if (!built) return built.error();
      if (auto* failure = std::get_if<Failure>(&*built))
        return Attempt<std::unique_ptr<Queue>>{*failure};
      without_restrict_ = std::get<OwnedOpencl<cl_program>>(*std::move(built));
    }
    const auto& program = shares ? without_restrict_ : with_restrict_;
    return Attempt<std::unique_ptr<Queue>>{
        std::make_unique<OpenclQueue>(device_.id, context_, queue_, program.get(), addresses_)};
  }

  const FoundOpenclDevice& device_;
  cl_context context_;
  cl_command_queue queue_;
  OpenclAddresses& addresses_;
  OwnedOpencl<cl_program> with_restrict_;
  OwnedOpencl<cl_program> without_restrict_;
};

class OpenclDevice : public Device {
 public:
  OpenclDevice(FoundOpenclDevice found, OwnedOpencl<cl_context> context,
               OwnedOpencl<cl_command_queue> queue)
      : found_(std::move(found)),
        context_(std::move(context)),
        queue_(std::move(queue)),
        addresses_(found_.id, context_.get(), queue_.get()) {}

  const DeviceInfo& info() const override { return found_.info; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    if (translation.is_checked())
      return Error{fmt::format("the checked mode runs on --device {} only", cpu_device_name)};
    auto built = build_text(translation, context_.get(), found_.id,
                            build_options_for(found_.info) + " -DMSCI_RESTRICT=restrict");
    if (!built) return built.error();
    if (auto* failure = std::get_if<Failure>(&*built))
      return Attempt<std::unique_ptr<Program>>{std::move(*failure)};
    return Attempt<std::unique_ptr<Program>>{std::make_unique<OpenclProgram>(
        found_, context_.get(), queue_.get(), addresses_,
        std::get<OwnedOpencl<cl_program>>(*std::move(built)), translation)};
  }

 private:
  FoundOpenclDevice found_;
  OwnedOpencl<cl_context> context_;
  OwnedOpencl<cl_command_queue> queue_;
  OpenclAddresses addresses_;
};

}  // namespace

Result<std::vector<DeviceInfo>> find_opencl_devices() {
  const auto found = list_opencl_devices();
  if (!found) return found.error();
  std::vector<DeviceInfo> infos;
  for (const auto& each : *found) infos.push_back(each.info);
  return infos;
}

Result<std::unique_ptr<Device>> open_opencl_device(std::size_t index) {
  const auto found = list_opencl_devices();
  if (!found) return found.error();
  if (index >= found->size())
    return Error{
        fmt::format("OpenCL device {} not found: the last is {}", index, found->size() - 1)};
  const auto& chosen = (*found)[index];
  cl_int status = CL_SUCCESS;
  OwnedOpencl<cl_context> context(
      clCreateContext(nullptr, 1, &chosen.id, nullptr, nullptr, &status));
  if (auto error = failed(status, "clCreateContext")) return *error;
  OwnedOpencl<cl_command_queue> queue(
      clCreateCommandQueue(context.get(), chosen.id, CL_QUEUE_PROFILING_ENABLE, &status));
  if (auto error = failed(status, "clCreateCommandQueue")) return *error;
  return std::unique_ptr<Device>(
      std::make_unique<OpenclDevice>(chosen, std::move(context), std::move(queue)));
}

}  // namespace msci
