#include <algorithm>
#include <utility>

#include "evaluator/page/clients.h"

namespace msci {
namespace {

// A browser repeats a request if the connection broke before it had read the answer.
constexpr std::size_t most_answers = 64;
// Browsers let the timers of a hidden page run once a minute.
constexpr std::chrono::seconds forgotten_after(150);

}  // namespace

Result<std::uint64_t> JudgeClient::ask(OrderedJson request) {
  return ask(std::move(request), nullptr);
}

Result<std::uint64_t> JudgeClient::ask(OrderedJson request, Answered answered) {
  if (waiting() >= most_waiting_)
    return Error{"too many kernels wait to be judged; ask again later"};
  if (auto error = start()) return *error;
  const auto ticket = next_++;
  request["id"] = ticket;
  tickets_[ticket] = {
      .answer = {}, .seen = PollLoop::Clock::now(), .answered = std::move(answered)};
  send(request);
  return ticket;
}

std::optional<OrderedJson> JudgeClient::state(std::uint64_t ticket) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return std::nullopt;
  found->second.seen = PollLoop::Clock::now();
  if (found->second.answer) return OrderedJson{{"answer", *found->second.answer}};
  return OrderedJson{{"waiting", waiting_before(ticket)}};
}

void JudgeClient::cancel(std::uint64_t ticket) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const bool is_waiting = !found->second.answer;
  tickets_.erase(found);
  if (is_waiting && server_) send({{"cancel", ticket}});
}

std::size_t JudgeClient::waiting_before(std::uint64_t ticket) const {
  const auto is_waiting = [](const auto& each) { return !each.second.answer; };
  return static_cast<std::size_t>(
      std::count_if(tickets_.begin(), tickets_.lower_bound(ticket), is_waiting));
}

// Makes room for the next answer.
void JudgeClient::forget_oldest_answer() {
  const auto has_answer = [](const auto& each) { return each.second.answer.has_value(); };
  if (std::ranges::count_if(tickets_, has_answer) < static_cast<std::ptrdiff_t>(most_answers))
    return;
  tickets_.erase(std::ranges::find_if(tickets_, has_answer));
}

void JudgeClient::watch(PollLoop& loop) {
  const auto now = PollLoop::Clock::now();
  std::vector<std::uint64_t> forgotten;
  for (const auto& [ticket, state] : tickets_)
    if (!state.answered && now - state.seen > forgotten_after) forgotten.push_back(ticket);
  for (const auto ticket : forgotten) cancel(ticket);
  if (server_) server_->watch(loop, [this] { read(); });
}

void JudgeClient::ask_to_end() {
  if (server_) server_->ask_to_end();
}

void JudgeClient::end(PollLoop::Clock::time_point deadline) {
  if (server_) server_->end(deadline);
}

std::optional<Error> JudgeClient::start() {
  if (server_) return std::nullopt;
  auto started = ChildServer::start(command_);
  if (!started) return started.error();
  server_.emplace(*std::move(started));
  reader_.emplace(server_->output());
  return std::nullopt;
}

void JudgeClient::read() {
  if (!server_) return;
  reader_->read_available();
  while (const auto line = reader_->next_line()) {
    if (!*line) continue;
    auto answer = parse_json<OrderedJson>(**line);
    if (!answer || !answer->is_object() || !answer->value("id", OrderedJson()).is_number())
      continue;
    const auto ticket = answer->at("id").get<std::uint64_t>();
    take(ticket, *std::move(answer));
  }
  if (!reader_->at_end()) return;
  // The next request starts it again.
  reader_.reset();
  server_.reset();
  const std::string why = "the judging server ended; run it again";
  std::vector<std::uint64_t> owed;
  for (auto& [ticket, state] : tickets_) {
    if (state.answered) {
      owed.push_back(ticket);
    } else if (!state.answer) {
      state.answer = {{"id", ticket}, {"error", why}};
    }
  }
  for (const auto ticket : owed) take(ticket, {{"id", ticket}, {"error", why}});
}

void JudgeClient::take(std::uint64_t ticket, OrderedJson answer) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;  // cancelled
  if (const auto answered = found->second.answered) {
    tickets_.erase(found);
    return answered(std::move(answer));
  }
  forget_oldest_answer();
  found->second.answer = std::move(answer);
}

void JudgeClient::send(const OrderedJson& line) { server_->input().append(to_line(line) + "\n"); }

}  // namespace msci
