#include "engine/device/worker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

#include "base/files/install_paths.h"
#include "base/msgpack_result.h"
#include "engine/device/gpu_files.h"
#include "engine/device/pass_marks.h"
#include "engine/device/worker_protocol.h"
#include "tasks/plan/translation_json.h"

namespace msci {
namespace {

constexpr std::chrono::seconds listing_limit(60);
constexpr std::chrono::seconds time_to_stop(5);
constexpr std::string_view opencl_program = "msci-worker";
constexpr std::string_view engine_program = "msci-engine-worker";

// The content of a reply: what was asked for, the program's failure, or the worker's error.
Result<Attempt<Json>> opened(const Json& reply) {
  try {
    if (reply.contains("error")) return Error{reply.at("error").get<std::string>()};
    if (reply.contains("failure")) return Attempt<Json>{reply.at("failure").get<Failure>()};
    return Attempt<Json>{reply.at("done")};
  } catch (const Json::exception& broken) {
    return Attempt<Json>{Failure{Failure::Cause::crash, "its process returned malformed data"}};
  }
}

Result<Attempt<Json>> opened(const Attempt<Json>& reply) {
  if (auto* failure = std::get_if<Failure>(&reply)) return Attempt<Json>{*failure};
  return opened(std::get<Json>(reply));
}

// Whether a broken driver can cause that failure, too.
bool may_be_the_drivers(Failure::Cause cause) {
  return cause == Failure::Cause::build || cause == Failure::Cause::crash ||
         cause == Failure::Cause::signal || cause == Failure::Cause::exit ||
         cause == Failure::Cause::run_time;
}

// A correct kernel.
Translation plain_program() {
  return {.source_name = "plain",
          .text =
              "__kernel void plain(__global uchar *out, ulong out_at, uint gx, uint gy, uint gz, "
              "uint tx, uint ty, uint tz) { out[out_at + get_global_id(0)] = 1; }\n",
          .ir =
              "declare i64 @get_global_id(i32)\n"
              "define void @plain(ptr addrspace(1) %out, i64 %at, i32 %gx, i32 %gy, i32 %gz, "
              "i32 %tx, i32 %ty, i32 %tz) {\n"
              "  %thread = call i64 @get_global_id(i32 0)\n"
              "  %first = getelementptr i8, ptr addrspace(1) %out, i64 %at\n"
              "  %place = getelementptr i8, ptr addrspace(1) %first, i64 %thread\n"
              "  store i8 1, ptr addrspace(1) %place\n"
              "  ret void\n"
              "}\n",
          .kernels = {{.name = "plain", .symbol = "plain", .arguments = {{.index = 0}}}}};
}

Plan plain_plan() {
  Plan plan;
  const auto out = plan.add({.name = "out", .bytes = 64});
  plan.launches = {{.kernel = "plain", .grid = {64}, .threadgroup = {64}, .bindings = {{0, out}}}};
  return plan;
}

// A process in which no kernel ran yet, so the next program may have it: the one that listed the
// devices, or one that opens its device ahead of time. It belongs to the thread that started it,
// with whose end it dies (ChildProcess): other threads, and copies of this process after a fork,
// start their own.
class WaitingProcess {
 public:
  void put(std::unique_ptr<WorkerProcess> process) {
    const std::lock_guard lock(mutex_);
    process_ = std::move(process);
    thread_ = ::gettid();
  }

  // Null if there is none for the calling thread.
  std::unique_ptr<WorkerProcess> take() {
    const std::lock_guard lock(mutex_);
    return ::gettid() == thread_ ? std::move(process_) : nullptr;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<WorkerProcess> process_;
  pid_t thread_ = 0;
};

// What the programs of one device share.
struct Driver {
  std::string_view program;  // of the process
  std::string backend;
  std::size_t index = 0;  // among the devices of that back end
  WorkerLimits limits;
  bool is_processor = false;  // kernels run in that process, and can change what it says
  WaitingProcess waiting;
  std::atomic<bool> works = false;  // it has run plain_program()
};

class WorkerProgram : public Program {
 public:
  WorkerProgram(Driver& driver, const Translation& translation)
      : driver_(driver),
        translation_(message_of(translation, driver.program == engine_program)),
        stops_itself_(driver.program == engine_program && translation.is_checked()) {}

  // Builds in a new process, which ends after a failure.
  Result<Attempt<std::monostate>> start() { return check_driver(start_process()); }

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    return check_driver(carry_out(plan, repeats));
  }

 private:
  // The engine reads the IR, and drivers the text; neither needs what a profile is made from.
  static std::string message_of(Translation translation, bool is_for_engine) {
    (is_for_engine ? translation.text : translation.ir).clear();
    if (!is_for_engine) translation.code.clear();  // the engine counts what blocks execute
    return to_msgpack<Translation>(std::move(translation));
  }

  // A failure is the kernel's only if the driver can run a correct kernel.
  template <typename T>
  Result<Attempt<T>> check_driver(Result<Attempt<T>> attempt) {
    const auto* failure = attempt ? std::get_if<Failure>(&*attempt) : nullptr;
    if (!failure || driver_.works || !may_be_the_drivers(failure->cause)) return attempt;
    const auto plain = WorkerProgram(driver_, plain_program()).carry_out(plain_plan(), verify_only);
    driver_.works = plain && std::holds_alternative<Run>(*plain);
    if (driver_.works) return attempt;
    return Error{"the driver fails on any kernel: " +
                 (plain ? std::get<Failure>(*plain).message : plain.error().message)};
  }

  Result<Attempt<Run>> carry_out(const Plan& plan, Repeats repeats) {
    if (!process_) {
      auto started = start_process();
      if (!started) return started.error();
      if (auto* failure = std::get_if<Failure>(&*started)) return Attempt<Run>{*failure};
    }
    auto ran = run_in_process(plan, repeats);
    // After a failure the process may be damaged without showing it.
    if (!ran || std::holds_alternative<Failure>(*ran)) process_.reset();
    return ran;
  }

  Result<Attempt<std::monostate>> start_process() {
    if (auto waiting = driver_.waiting.take()) {
      auto built = build_in(std::move(waiting));
      const auto* failure = built ? std::get_if<Failure>(&*built) : nullptr;
      // It may have died while it waited, which is not the kernel's fault. Where a build exceeds
      // the time limit, the process still ran, and another one would exceed it, too.
      if (!failure || failure->cause == Failure::Cause::build ||
          failure->cause == Failure::Cause::time_out)
        return built;
    }
    auto process = WorkerProcess::start(driver_.program);
    if (!process) return process.error();
    return build_in(*std::move(process));
  }

  Result<Attempt<std::monostate>> build_in(std::unique_ptr<WorkerProcess> process) {
    auto file = share(translation_);
    if (!file) return file.error();
    const Json request = {{"do", "build"},
                          {"backend", driver_.backend},
                          {"device", driver_.index},
                          {"memory", driver_.limits.memory},
                          {"bytes", translation_.size()}};
    auto reply = opened(process->ask(request, {&*file, 1}, driver_.limits.build, "building"));
    if (!reply) return reply.error();
    if (auto* failure = std::get_if<Failure>(&*reply)) return Attempt<std::monostate>{*failure};
    process_ = std::move(process);
    return Attempt<std::monostate>{};
  }

  static Result<Fd> share(std::string_view text) {
    auto file = make_shared_memory(text.size());
    if (!file) return file;
    const auto memory = Mapping::map(*file, text.size(), Mapping::Access::write);
    if (!memory) return memory.error();
    std::transform(text.begin(), text.end(), memory->bytes().begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return file;
  }

  Result<Attempt<Run>> run_in_process(const Plan& plan, Repeats repeats) {
    auto contents = share_contents(plan);
    if (!contents) return contents.error();
    auto outputs = make_shared_memory(output_bytes(plan, repeats));
    if (!outputs) return outputs.error();
    std::vector<Fd> files;
    files.push_back(*std::move(contents));
    files.push_back(*std::move(outputs));
    auto reader = read_marks(repeats, files);
    if (!reader) return reader.error();

    Json request = {{"do", "run"}, {"plan", to_json(plan)}, {"repeats", repeats}};
    const auto limit = driver_.limits.run;
    if (stops_itself_) request["stop_after"] = std::chrono::duration<double>(limit).count();
    const auto grace = stops_itself_ ? time_to_stop : std::chrono::seconds(0);
    const auto asked = std::chrono::steady_clock::now();
    auto reply = opened(process_->ask(request, files, limit, "running", grace));
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked;
    if (!reply) return reply.error();
    if (auto* failure = std::get_if<Failure>(&*reply)) return Attempt<Run>{*failure};
    auto run = plausible_run(std::get<Json>(*reply), plan, repeats);
    if (!run)
      return Attempt<Run>{Failure{Failure::Cause::crash, "its process returned malformed data"}};
    // The kernel ran in the process that took the times, and may have changed them.
    if (std::accumulate(run->seconds.begin(), run->seconds.end(), 0.0) > waited.count())
      return Attempt<Run>{
          Failure{Failure::Cause::crash, "its process reports more seconds than have passed"}};
    const auto marked = *reader ? (*reader)->finish() : std::nullopt;
    if (marked && !are_plausible(run->seconds, *marked, run->variants.size() + 1))
      return Attempt<Run>{
          Failure{Failure::Cause::crash, "its process reports other times than its passes took"}};
    const auto& places = std::get<Json>(*reply).at("places");
    const auto taken = take_outputs(plan, repeats, places, files[1], *run);
    if (!taken) return taken.error();
    if (!*taken)
      return Attempt<Run>{
          Failure{Failure::Cause::crash, "its process passed on malformed places of results"}};
    return Attempt<Run>{*std::move(run)};
  }

  // The times of a GPU are its driver's, whose memory no kernel reaches, and shorter than those of
  // the process. Adds the socket to the files.
  Result<std::unique_ptr<MarkReader>> read_marks(Repeats repeats, std::vector<Fd>& files) const {
    if (!repeats.gives_time() || driver_.program != engine_program || !driver_.is_processor)
      return std::unique_ptr<MarkReader>();
    auto opened = MarkReader::open();
    if (!opened) return opened.error();
    files.push_back(std::move(opened->second));
    return std::move(opened->first);
  }

  // A run without its outputs; nothing if the reply is malformed. The kernel ran in the process
  // that wrote the reply, so the reply is untrusted input.
  static std::optional<Run> plausible_run(const Json& json, const Plan& plan, Repeats repeats) {
    Run run;
    try {
      run = run_from(json);
      if (!json.at("places").is_array()) return std::nullopt;
    } catch (const Json::exception& broken) {
      return std::nullopt;
    }
    const auto kept = most_deviations(plan, repeats);
    if (run.deviations.size() > kept || run.variants.size() > plan.variants) return std::nullopt;
    // Each deviation has an untimed pass with its inputs.
    for (const auto& each : run.deviations)
      if (each.variant > 0 && std::ranges::find(run.variants, each.variant,
                                                &VariantOutputs::variant) == run.variants.end())
        return std::nullopt;
    const bool plausible = std::all_of(run.seconds.begin(), run.seconds.end(),
                                       [](double s) { return std::isfinite(s) && s >= 0; });
    const auto most =
        repeats.timed_seconds > 0 ? std::max(repeats.timed, most_timed_passes) : repeats.timed;
    const auto least = std::min<std::size_t>(repeats.timed, kept);
    if (!plausible || run.seconds.size() < least || run.seconds.size() > most) return std::nullopt;
    return run;
  }

  Driver& driver_;
  std::string translation_;  // as the process reads it
  bool stops_itself_;        // at the time limit, and says where
  std::unique_ptr<WorkerProcess> process_;
};

class WorkerDevice : public Device {
 public:
  WorkerDevice(DeviceInfo info, std::string_view program, std::size_t index, WorkerLimits limits,
               std::unique_ptr<WorkerProcess> listing)
      : info_(std::move(info)),
        driver_{.program = program,
                .backend = info_.backend,
                .index = index,
                .limits = limits,
                .is_processor = info_.is_processor()} {
    driver_.waiting.put(std::move(listing));
  }

  const DeviceInfo& info() const override { return info_; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    auto program = std::make_unique<WorkerProgram>(driver_, translation);
    auto started = program->start();
    if (!started) return started.error();
    if (auto* failure = std::get_if<Failure>(&*started))
      return Attempt<std::unique_ptr<Program>>{*failure};
    return Attempt<std::unique_ptr<Program>>{std::move(program)};
  }

  // A process opens the device, which takes a GPU's driver a second or more. If none can start,
  // build() says why.
  void prepare() override {
    auto process = driver_.waiting.take();
    if (!process) {
      auto started = WorkerProcess::start(driver_.program);
      if (!started) return;
      process = *std::move(started);
    }
    process->begin({{"do", "open"}, {"backend", driver_.backend}, {"device", driver_.index}});
    driver_.waiting.put(std::move(process));
  }

 private:
  DeviceInfo info_;
  Driver driver_;
};

// The devices of a worker program, or of one of its back ends, and the process that listed them.
struct Listing {
  std::vector<DeviceInfo> devices;
  std::vector<std::string> problems;  // why other back ends have none
  std::unique_ptr<WorkerProcess> process;
};

// An empty name of a back end stands for all.
Result<Listing> devices_of(std::string_view program, std::string_view backend = {}) {
  auto process = WorkerProcess::start(program);
  if (!process) return process.error();
  const Json request = {{"do", "list"}, {"backend", backend}};
  auto reply = opened((*process)->ask(request, {}, listing_limit, "listing devices"));
  if (!reply) return reply.error();
  if (auto* failure = std::get_if<Failure>(&*reply))
    return Error{"cannot list the devices: " + failure->message};
  // No kernel ran in that process, so its reply is trusted.
  const auto& found = std::get<Json>(*reply);
  return Listing{found.at("devices").get<std::vector<DeviceInfo>>(),
                 found.at("problems").get<std::vector<std::string>>(), *std::move(process)};
}

// A device with the program of its process, and its index among the devices of its back end.
struct FoundDevice {
  std::string_view program;
  std::size_t index = 0;
};

struct FoundDevices {
  std::vector<DeviceInfo> infos;
  std::vector<FoundDevice> places;    // of each
  std::vector<std::string> problems;  // why other back ends have none
  std::map<std::string_view, std::unique_ptr<WorkerProcess>> processes;  // of the programs

  // Those devices of a process for which `fits`. Platforms are numbered in the order of the list.
  void add(std::string_view program, const std::vector<DeviceInfo>& devices,
           const std::function<bool(const DeviceInfo&)>& fits) {
    const auto first_platform = infos.empty() ? 0 : infos.back().platform_index + 1;
    std::map<std::size_t, std::size_t> platforms;
    std::map<std::string_view, std::size_t> counts;  // of the devices of each back end
    for (const auto& each : devices) {
      const auto index = counts[each.backend]++;
      if (!fits(each)) continue;
      auto& device = infos.emplace_back(each);
      device.platform_index =
          platforms.try_emplace(device.platform_index, first_platform + platforms.size())
              .first->second;
      places.push_back({program, index});
    }
  }
};

std::vector<std::string> problems_of(const Result<Listing>& listing) {
  return listing ? listing->problems : std::vector{listing.error().message};
}

// In the order of preference, since the first one runs what names no device: GPUs, the processor
// through the engine, the processor through OpenCL.
Result<FoundDevices> find_all() {
  auto opencl = devices_of(opencl_program);
  auto engine = devices_of(engine_program);
  if (!opencl && !engine) return opencl.error();
  FoundDevices all;
  all.problems = problems_of(opencl);
  std::ranges::copy(problems_of(engine), std::back_inserter(all.problems));
  if (opencl) all.add(opencl_program, opencl->devices, std::not_fn(&DeviceInfo::is_processor));
  if (engine) all.add(engine_program, engine->devices, std::not_fn(&DeviceInfo::is_processor));
  if (engine) all.add(engine_program, engine->devices, &DeviceInfo::is_processor);
  if (opencl) all.add(opencl_program, opencl->devices, &DeviceInfo::is_processor);
  if (opencl) all.processes[opencl_program] = std::move(opencl->process);
  if (engine) all.processes[engine_program] = std::move(engine->process);
  return all;
}

// Asks no process and no back end in vain: the processor needs no driver, and a GPU no engine.
// Without a GPU, the processor is the first device.
Result<FoundDevices> find(std::string_view wanted) {
  // An incomplete installation is an error, although another device could serve.
  if (const auto path = find_program(opencl_program); !path) return path.error();
  const bool is_opencl = wanted == opencl_device_name || wanted == pocl_device_name;
  const bool is_processor_alone =
      wanted == cpu_device_name || (wanted.empty() && gpu_files().empty());
  if (!is_opencl && !is_processor_alone) return find_all();
  const auto program = is_opencl ? opencl_program : engine_program;
  auto listing = devices_of(program, is_opencl ? opencl_device_name : cpu_device_name);
  if (!listing && wanted.empty()) return find_all();  // OpenCL may have a processor
  if (!listing) return listing.error();
  FoundDevices found;
  found.add(program, listing->devices, std::not_fn(&DeviceInfo::is_processor));
  found.add(program, listing->devices, &DeviceInfo::is_processor);
  found.processes[program] = std::move(listing->process);
  return found;
}

}  // namespace

Result<std::vector<DeviceInfo>> find_worker_devices() {
  auto found = find_all();
  if (!found) return found.error();
  return std::move(found->infos);
}

Result<std::unique_ptr<Device>> open_worker_device(std::string_view wanted, WorkerLimits limits) {
  auto found = find(wanted);
  if (!found) return found.error();
  const auto chosen = choose_device(found->infos, wanted);
  if (!chosen && !found->problems.empty())
    return Error{fmt::format("{}back ends without devices: {}", chosen.error().message,
                             fmt::join(found->problems, "; "))};
  if (!chosen) return chosen.error();
  const auto [program, index] = found->places[*chosen];
  auto process = limits.takes_listing_process ? std::move(found->processes[program]) : nullptr;
  return std::unique_ptr<Device>(std::make_unique<WorkerDevice>(
      std::move(found->infos[*chosen]), program, index, limits, std::move(process)));
}

}  // namespace msci
