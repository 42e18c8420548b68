#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/process/fd.h"
#include "evaluator/modes/server/serve.h"

namespace msci {
namespace {

Result<Fd> lock(const std::string& path, int how) {
  Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.get() < 0) return Error{fmt::format("cannot open {}: {}", path, std::strerror(errno))};
  while (::flock(file.get(), how) != 0)
    if (errno != EINTR) return Error{fmt::format("cannot lock {}: {}", path, std::strerror(errno))};
  return file;
}

// The system ends a turn with the process that has it.
Result<Fd> take_turn(const std::filesystem::path& files, bool alone) {
  // Each run enters through the door. A timed one keeps it closed until the others have left.
  const auto door = lock(files.string() + ".door", LOCK_EX);
  if (!door) return door.error();
  return lock(files.string() + ".room", alone ? LOCK_EX : LOCK_SH);
}

class ProgramWithTurns : public Program {
 public:
  ProgramWithTurns(std::unique_ptr<Program> program, std::filesystem::path files)
      : program_(std::move(program)), files_(std::move(files)) {}

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    const auto turn = take_turn(files_, /*alone=*/repeats.gives_time());
    if (!turn) return turn.error();
    return program_->run(plan, repeats);
  }

 private:
  std::unique_ptr<Program> program_;
  std::filesystem::path files_;
};

class DeviceWithTurns : public Device {
 public:
  DeviceWithTurns(std::unique_ptr<Device> device, std::filesystem::path files)
      : device_(std::move(device)), files_(std::move(files)) {}

  const DeviceInfo& info() const override { return device_->info(); }
  void prepare() override { device_->prepare(); }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    auto built = device_->build(translation);
    if (!built || std::holds_alternative<Failure>(*built)) return built;
    return Attempt<std::unique_ptr<Program>>{std::make_unique<ProgramWithTurns>(
        std::get<std::unique_ptr<Program>>(*std::move(built)), files_)};
  }

 private:
  std::unique_ptr<Device> device_;
  std::filesystem::path files_;
};

}  // namespace

std::unique_ptr<Device> with_turns(std::unique_ptr<Device> device, std::filesystem::path files) {
  return std::make_unique<DeviceWithTurns>(std::move(device), std::move(files));
}

}  // namespace msci
