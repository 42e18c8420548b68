#include "evaluator/session/run_once.h"

namespace msci {

Result<Attempt<Run>> run_once(Session& session, const Size& size) {
  const auto unless_the_devices = [&](const Failure& failure) -> Result<Attempt<Run>> {
    if (auto error = blame_device(failure, "run", session.task().name)) return *std::move(error);
    return Attempt<Run>{failure};
  };
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened))
    return Attempt<Run>{Failure{Failure::Cause::build, rejected->reason}};
  if (const auto* failure = std::get_if<Failure>(&opened)) return unless_the_devices(*failure);
  const auto plan = session.plan(size);
  if (!plan) return plan.error();
  if (const auto* failure = std::get_if<Failure>(&*plan)) return Attempt<Run>{*failure};
  auto ran = std::get<Program*>(opened)->run(std::get<Plan>(*plan), verify_only);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return unless_the_devices(*failure);
  return *std::move(ran);
}

}  // namespace msci
