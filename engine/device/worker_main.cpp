#include "engine/device/worker_main.h"

#include <sys/time.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/msgpack_result.h"
#include "base/process/channel.h"
#include "engine/device/pass_marks.h"
#include "engine/device/sandbox/sandbox.h"
#include "engine/device/worker_protocol.h"
#include "tasks/plan/translation_json.h"

namespace msci {
namespace {

constexpr int socket_to_tool = 3;

Json failed(const Error& error) { return {{"error", error.message}}; }
Json failed(const Failure& failure) { return {{"failure", failure}}; }

// SIGALRM after so many seconds, and then each millisecond; 0 takes it back. The engine says where
// its kernel was.
void stop_after(double seconds) {
  itimerval timer = {.it_interval = {.tv_sec = 0, .tv_usec = 1000}, .it_value = {}};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

class Worker {
 public:
  Worker(std::span<const DeviceBackend> backends, Confinement confinement)
      : backends_(backends), confinement_(std::move(confinement)) {}

  Json answer(Message message) {
    const auto parsed = parse_json<Json>(message.text);
    if (!parsed) return failed(parsed.error());
    const auto& request = *parsed;
    const auto what = request.at("do").get<std::string>();
    if (what == "list") return list(request.at("backend").get<std::string>());
    if (what == "open") return opened(request);
    if (what == "build") return build(request, message.files.at(0));
    std::optional<MarkingOfPasses> marking;
    if (message.files.size() > 2) marking.emplace(std::move(message.files[2]));
    return run(request, message.files.at(0), message.files.at(1));
  }

 private:
  // Of all back ends if the name is empty.
  Json list(std::string_view backend) const {
    auto found = find_local_devices(backends_, backend);
    if (!found) return failed(found.error());
    for (auto& device : found->devices) {
      device.sandbox = confinement_.layers;
      device.unsandboxed = confinement_.unsandboxed;
    }
    return {{"done", {{"devices", found->devices}, {"problems", found->problems}}}};
  }

  // Why the device of a request cannot be opened; an earlier request may have opened it.
  std::optional<Error> open(const Json& request) {
    if (device_) return std::nullopt;
    auto device = open_local_device(backends_, request.at("backend").get<std::string>(),
                                    request.at("device").get<std::size_t>());
    if (!device) return device.error();
    device_ = *std::move(device);
    return std::nullopt;
  }

  Json opened(const Json& request) {
    if (const auto error = open(request)) return failed(*error);
    return {{"done", true}};
  }

  Json build(const Json& request, const Fd& file) {
    const auto bytes = request.at("bytes").get<std::size_t>();
    const auto memory = Mapping::map(file, bytes, Mapping::Access::read);
    if (!memory) return failed(memory.error());
    const auto translation =
        from_msgpack<Translation>({reinterpret_cast<const char*>(memory->bytes().data()), bytes});
    if (!translation) return failed(translation.error());

    if (const auto error = open(request)) return failed(*error);
    // Drivers of GPUs reserve far more address space than they use.
    if (device_->info().is_processor()) limit_memory(request.at("memory").get<std::size_t>());
    auto built = device_->build(*translation);
    if (!built) return failed(built.error());
    if (auto* failure = std::get_if<Failure>(&*built)) return failed(*failure);
    program_ = std::get<std::unique_ptr<Program>>(*std::move(built));
    return {{"done", true}};
  }

  Json run(const Json& request, const Fd& contents, const Fd& outputs) {
    const auto mapped = map_shared_memory(contents);
    if (!mapped) return failed(mapped.error());
    const auto plan = plan_from(request.at("plan"), *mapped);
    const auto repeats = request.at("repeats").get<Repeats>();
    ResultMemory results(outputs, output_bytes(plan, repeats));
    if (request.contains("stop_after")) stop_after(request.at("stop_after").get<double>());
    const RunMemory memory{.keep = [&](auto contents) { return results.keep(contents); },
                           .forget = [&] { results.forget(); }};
    const auto ran = program_->run_in(memory, plan, repeats);
    stop_after(0);
    if (!ran) return failed(ran.error());
    if (auto* failure = std::get_if<Failure>(&*ran)) return failed(*failure);
    const auto& run = std::get<Run>(*ran);
    const auto places = results.places_of(run);
    if (!places) return failed(places.error());
    results.seal();
    auto reply = to_json(run);
    reply["places"] = *places;
    return {{"done", std::move(reply)}};
  }

  std::span<const DeviceBackend> backends_;
  Confinement confinement_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Program> program_;  // declared after the device, so destroyed before it
};

}  // namespace

int worker_main(int argc, char** argv, std::span<const DeviceBackend> backends) {
  if (argc != 2) {
    std::fputs("msci-worker: msci-eval starts this program; do not start it yourself\n", stderr);
    return 2;
  }
  Worker worker(backends, restrict_process(argv[1]));
  const Channel tool(Fd{socket_to_tool});
  while (true) {
    auto request = tool.receive(std::nullopt);
    auto* message = std::get_if<Message>(&request);
    if (!message) return 0;
    // A driver's messages may be in any encoding.
    const auto reply =
        worker.answer(std::move(*message)).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!tool.send(reply)) return 0;
  }
}

}  // namespace msci
