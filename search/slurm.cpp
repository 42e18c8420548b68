#include "search/waiting_line.h"

namespace msci::search {

std::optional<Error> SlurmJudge::judge(std::span<const JudgeRequest> requests,
                                       const OnJudgement& on_judgement) {
  SlurmArray array{.name = "msci-search",
                   .folder = call_.folder,
                   .working_folder = call_.folder,
                   .limit = call_.limit,
                   .jobs = {}};
  for (const auto& request : requests)
    array.jobs.push_back(
        {request.candidate,
         shell_arguments(call_.line, arguments_of(call_, request, options_.device))});
  return run_slurm_array(array, options_.slurm,
                         [&](std::size_t number, CommandResult result) -> std::optional<Error> {
                           auto json = judgement_of(result);
                           if (!json) return json.error();
                           return on_judgement(number, *std::move(json), result.seconds);
                         });
}

}  // namespace msci::search
