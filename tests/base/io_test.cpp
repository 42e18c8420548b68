#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <csignal>

#include "base/io/acceptor.h"
#include "base/io/buffered_writer.h"
#include "base/io/descriptor.h"
#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/process/fd.h"
#include "tests/support/few_files.h"

namespace msci {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end = Fd(ends[0]);
    write_end = Fd(ends[1]);
  }
  Fd read_end;
  Fd write_end;
};

TEST(WriteAll, reports_a_closed_reader) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  EXPECT_TRUE(write_all(pipe.write_end.get(), "text"));
  pipe.read_end = Fd();
  EXPECT_FALSE(write_all(pipe.write_end.get(), "text"));
  ::signal(SIGPIPE, SIG_DFL);
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ::close(ends[1]);
  EXPECT_FALSE(send_all(ends[0], "text"));  // and no SIGPIPE, which would end this test
  ::close(ends[0]);
}

TEST(LineReader, returns_whole_lines_and_the_rest_at_the_end) {
  Pipe pipe;
  LineReader reader(pipe.read_end.get());
  EXPECT_TRUE(reader.needs_input());
  write_all(pipe.write_end.get(), "one\ntwo\nthr");
  reader.read_available();
  EXPECT_EQ(**reader.next_line(), "one");
  EXPECT_FALSE(reader.needs_input());
  EXPECT_EQ(**reader.next_line(), "two");
  EXPECT_FALSE(reader.next_line());
  EXPECT_TRUE(reader.needs_input());
  pipe.write_end = Fd();
  reader.read_available();
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(**reader.next_line(), "thr");
  EXPECT_TRUE(reader.at_end());
}

TEST(LineReader, drops_a_line_that_is_too_long_and_goes_on) {
  Pipe pipe;
  LineReader reader(pipe.read_end.get());
  const std::string piece(1 << 15, 'x');
  for (std::size_t sent = 0; sent <= longest_line; sent += piece.size()) {
    write_all(pipe.write_end.get(), piece);
    reader.read_available();
  }
  const auto line = reader.next_line();
  ASSERT_TRUE(line);
  ASSERT_FALSE(*line);
  EXPECT_EQ(line->error().message, "the line is longer than 32 MiB");
  EXPECT_FALSE(reader.next_line());
  write_all(pipe.write_end.get(), "rest of it\nnext\n");
  reader.read_available();
  EXPECT_EQ(**reader.next_line(), "next");
}

TEST(FrameReader, returns_whole_messages) {
  Pipe pipe;
  FrameReader reader(pipe.read_end.get());
  const auto bytes = to_frame("first") + to_frame("") + to_frame("third");
  write_all(pipe.write_end.get(), bytes.substr(0, bytes.size() - 1));
  reader.read_available();
  EXPECT_EQ(**reader.next_frame(), "first");
  EXPECT_EQ(**reader.next_frame(), "");
  EXPECT_FALSE(reader.next_frame());
  write_all(pipe.write_end.get(), bytes.substr(bytes.size() - 1));
  reader.read_available();
  EXPECT_EQ(**reader.next_frame(), "third");
}

TEST(FrameReader, refuses_malformed_headers) {
  for (const std::string text : {"Content-Length: x\r\n\r\n", "Content-Length: 99999999999\r\n\r\n",
                                 "Content-Length: -1\r\n\r\n", "Other: 1\r\n\r\n"}) {
    Pipe pipe;
    FrameReader reader(pipe.read_end.get());
    write_all(pipe.write_end.get(), text);
    reader.read_available();
    const auto frame = reader.next_frame();
    ASSERT_TRUE(frame) << text;
    EXPECT_FALSE(*frame) << text;
  }
  Pipe pipe;
  FrameReader reader(pipe.read_end.get());
  write_all(pipe.write_end.get(), std::string(5000, 'x'));  // a header without an end
  reader.read_available();
  ASSERT_TRUE(reader.next_frame());
}

TEST(BufferedWriter, writes_what_fits_and_notices_a_closed_reader) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  BufferedWriter writer(pipe.write_end.get());
  writer.append("text");
  EXPECT_EQ(writer.size(), 4u);
  writer.write_available();
  EXPECT_TRUE(writer.empty());
  char text[8] = "";
  EXPECT_EQ(::read(pipe.read_end.get(), text, sizeof text), 4);
  EXPECT_EQ(std::string(text), "text");
  pipe.read_end = Fd();
  writer.append("more");
  writer.write_available();
  EXPECT_TRUE(writer.broken());
  EXPECT_TRUE(writer.empty());
  ::signal(SIGPIPE, SIG_DFL);
}

TEST(PollLoop, runs_the_actions_of_what_is_ready) {
  Pipe ready, quiet;
  write_all(ready.write_end.get(), "x");
  int runs = 0, others = 0;
  PollLoop loop;
  loop.watch(ready.read_end.get(), POLLIN, [&] { ++runs; });
  loop.watch(quiet.read_end.get(), POLLIN, [&] { ++others; });
  EXPECT_FALSE(loop.wait());
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(others, 0);
}

TEST(PollLoop, returns_at_the_deadline) {
  Pipe quiet;
  int runs = 0;
  PollLoop loop;
  loop.watch(quiet.read_end.get(), POLLIN, [&] { ++runs; });
  const auto deadline = PollLoop::Clock::now() + std::chrono::milliseconds(20);
  loop.wake_at(deadline + std::chrono::hours(1));
  loop.wake_at(deadline);
  EXPECT_FALSE(loop.wait());
  EXPECT_GE(PollLoop::Clock::now(), deadline);
  EXPECT_EQ(runs, 0);
}

TEST(PollLoop, gives_each_watch_of_a_descriptor_its_own_events) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Fd here(ends[0]);
  Fd there(ends[1]);
  std::string runs;
  const auto round = [&] {
    PollLoop loop;
    loop.watch(here.get(), POLLIN, [&] { runs += 'r'; });
    loop.watch(here.get(), POLLOUT, [&] { runs += 'w'; });
    loop.watch(here.get(), 0, [&] { runs += 'c'; });
    EXPECT_FALSE(loop.wait());
    return std::exchange(runs, "");
  };
  EXPECT_EQ(round(), "w");
  write_all(there.get(), "x");
  EXPECT_EQ(round(), "rw");
  there = Fd();
  EXPECT_EQ(round(), "rwc");
}

// The system refuses to wait for more descriptors than a process may have open.
TEST(PollLoop, says_that_it_cannot_wait) {
  Pipe pipe;
  const FewFiles limit(1);
  PollLoop loop;
  for (int i = 0; i < 10; ++i) loop.watch(pipe.read_end.get(), POLLIN, [] {});
  loop.wake_at(PollLoop::Clock::now());
  EXPECT_FALSE(loop.wait());  // ten watches of one descriptor
  loop.watch(pipe.write_end.get(), POLLOUT, [] {});
  const auto error = loop.wait();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot wait for 2 files and processes: Invalid argument");
}

TEST(Acceptor, tries_again_later_where_no_file_is_left) {
  const Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const Fd client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address{.sun_family = AF_UNIX, .sun_path = "\0msci io_test"};
  const auto* raw = reinterpret_cast<const sockaddr*>(&address);
  ASSERT_EQ(::bind(listener.get(), raw, sizeof address), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  ASSERT_EQ(::connect(client.get(), raw, sizeof address), 0);
  Acceptor acceptor(listener.get());
  int clients = 0, rounds = 0;
  const auto round = [&] {
    PollLoop loop;
    acceptor.watch(loop, [&](const Fd&) { ++clients; });
    EXPECT_FALSE(loop.wait());
    ++rounds;
  };
  {
    const FewFiles limit(3);  // the standard streams
    const auto end = PollLoop::Clock::now() + std::chrono::milliseconds(250);
    while (PollLoop::Clock::now() < end) round();
    EXPECT_LT(rounds, 12);
    EXPECT_EQ(clients, 0);
  }
  while (clients == 0) round();
}

TEST(Acceptor, counts_what_the_process_may_open) {
  const FewFiles limit(24);
  EXPECT_EQ(clients_at_once(256), 8u);
  EXPECT_EQ(clients_at_once(3), 3u);
  EXPECT_EQ(processes_at_once(16), 4u);
  EXPECT_EQ(processes_at_once(0), 1u);
  const FewFiles fewer(0);
  EXPECT_EQ(clients_at_once(256), 1u);
}

}  // namespace
}  // namespace msci
