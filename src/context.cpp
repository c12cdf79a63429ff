#include "context.h"

#include "progress.h"

#include <RcppThread.h>

#include <engine/core/share.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace bind {

namespace {

// A forked child, as under parallel::mclapply(), runs serially, because several children share the
// processors.
#ifdef _WIN32
bool is_forked() { return false; }
#else
const pid_t loading_process = getpid();
bool is_forked() { return getpid() != loading_process; }
#endif

// An interrupt or an expired time limit is raised as in R's own functions.
void check_interrupt() {
  Rcpp::unwindProtect([] {
    R_CheckUserInterrupt();
    return R_NilValue;
  });
}

// Runs tasks on threads while R's own thread waits, because only R's thread can notice an interrupt
// and show progress. Each call has its own pool of threads, so no pool survives into a forked
// child.
class Executor {
 public:
  using Task = std::function<void(bayesrisk::Index)>;

  explicit Executor(int threads) : threads_(threads) {}

  void run(bayesrisk::Index tasks, const Task& task) {
    // A task that starts further tasks runs them serially. It must not call R.
    if (std::this_thread::get_id() != main_) {
      for (bayesrisk::Index i = 0; i < tasks; ++i) task(i);
      return;
    }
    share_.start(tasks);
    look();
    if (threads_ > 1 && tasks > 1) return run_on_threads(tasks, task);
    for (bayesrisk::Index i = 0; i < tasks; ++i) {
      task(i);
      share_.done();
      look();
    }
  }

  void check() {
    if (std::this_thread::get_id() == main_) {
      look();
    } else if (stop_) {
      throw Stopped();
    }
  }

  void expect(bayesrisk::Index tasks) { share_.expect(tasks); }

 private:
  struct Stopped {};

  // Called for every tile of rows; asks R at most fifty times a second.
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + std::chrono::milliseconds(20);
    check_interrupt();
    progress_.show(now, share_);
  }

  // The first exception stops all threads. The call waits for all threads to end.
  void run_on_threads(bayesrisk::Index tasks, const Task& task) {
    if (!pool_) pool_ = std::make_unique<RcppThread::ThreadPool>(threads_);
    next_ = 0;
    stop_ = false;
    running_ = threads_;
    problem_ = nullptr;
    for (int t = 0; t < threads_; ++t) pool_->push([this, tasks, &task] { work(tasks, task); });
    std::unique_lock<std::mutex> lock(mutex_);
    const auto finished = [this] { return running_ == 0; };
    while (!finished_.wait_for(lock, std::chrono::milliseconds(50), finished)) {
      if (stop_) continue;
      lock.unlock();
      try {
        look();
      } catch (...) {
        stop(std::current_exception());
      }
      lock.lock();
    }
    if (problem_) std::rethrow_exception(problem_);
  }

  void work(bayesrisk::Index tasks, const Task& task) {
    try {
      for (bayesrisk::Index i = next_++; i < tasks && !stop_; i = next_++) {
        task(i);
        share_.done();
      }
    } catch (...) {
      stop(std::current_exception());
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--running_ == 0) finished_.notify_one();
  }

  void stop(std::exception_ptr problem) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!problem_) problem_ = problem;
    stop_ = true;
  }

  const int threads_;
  const std::thread::id main_ = std::this_thread::get_id();
  bayesrisk::Share share_;
  Progress progress_;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
  std::atomic<bayesrisk::Index> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable finished_;
  int running_ = 0;
  std::exception_ptr problem_;
  // Declared last: its threads end before the members that they use are destroyed.
  std::unique_ptr<RcppThread::ThreadPool> pool_;
};

}  // namespace

bayesrisk::Context make_context(int threads) {
  bayesrisk::Context context;
  context.threads = is_forked() ? 1 : std::max(1, threads);
  const auto executor = std::make_shared<Executor>(context.threads);
  context.run = [executor](bayesrisk::Index tasks, const Executor::Task& task) {
    executor->run(tasks, task);
  };
  context.check = [executor] { executor->check(); };
  context.expect = [executor](bayesrisk::Index tasks) { executor->expect(tasks); };
  return context;
}

}  // namespace bind
