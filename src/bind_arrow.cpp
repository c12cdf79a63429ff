#include "arrow_stream.h"
#include "rcpp.h"

#include <cerrno>
#include <string>
#include <thread>

namespace {

// Batches that a function of R computes. R may be called by its own thread alone, and no jump of R
// may leave the frames of the program that reads the stream.
class RStream {
 public:
  explicit RStream(SEXP pull) : pull_(pull), home_(std::this_thread::get_id()) {
    R_PreserveObject(pull_);
  }

  // Calls pull(what, address): a code of errno. The function answers TRUE if it has filled the
  // structure at the address, FALSE at the end, or the reason why it failed.
  int pull(const char* what, void* target, bool& filled) {
    if (!at_home()) return fail("Batches are computed by R, which only its own thread may call.");
    const std::string address = std::to_string(reinterpret_cast<std::uintptr_t>(target));
    int failed = 0;
    SEXP call =
        PROTECT(Rf_lang3(pull_, PROTECT(Rf_mkString(what)), PROTECT(Rf_mkString(address.c_str()))));
    SEXP answer = PROTECT(R_tryEvalSilent(call, R_GlobalEnv, &failed));
    std::string reason;
    if (failed) {
      reason = "R was interrupted.";
    } else if (Rf_isString(answer)) {
      reason = CHAR(STRING_ELT(answer, 0));
    } else {
      filled = Rf_asLogical(answer) == TRUE;
    }
    UNPROTECT(4);
    return reason.empty() ? 0 : fail(reason);
  }

  const char* error() const { return error_.empty() ? nullptr : error_.c_str(); }

  // From another thread the function is left to R's end.
  void release() {
    bool filled = false;
    if (at_home()) {
      pull("release", nullptr, filled);
      R_ReleaseObject(pull_);
    }
    delete this;
  }

 private:
  bool at_home() const { return std::this_thread::get_id() == home_; }

  int fail(const std::string& reason) {
    error_ = reason;
    return EIO;
  }

  SEXP pull_;
  std::thread::id home_;
  std::string error_;
};

RStream* own(ArrowArrayStream* stream) { return static_cast<RStream*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  bool filled = false;
  return own(stream)->pull("schema", out, filled);
}

// After a failure the batch is lost, so no other may follow.
int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  bool filled = false;
  const int code = own(stream)->error() ? EIO : own(stream)->pull("next", out, filled);
  if (!filled) *out = ArrowArray();
  return code;
}

const char* get_last_error(ArrowArrayStream* stream) { return own(stream)->error(); }

void release(ArrowArrayStream* stream) {
  own(stream)->release();
  stream->release = nullptr;
}

}  // namespace

// Makes a stream of an empty one. `stream`: from nanoarrow_allocate_array_stream(). `pull`: see
// RStream.
// [[Rcpp::export(rng = false)]]
void stream_from_r_cpp(SEXP stream, SEXP pull) {
  auto* out = static_cast<ArrowArrayStream*>(R_ExternalPtrAddr(stream));
  *out = {get_schema, get_next, get_last_error, release, new RStream(pull)};
}
