# Frameworks that keep lists of their models learn of ours when, and only when, they are loaded,
# before or after bayesrisk. Methods of their generics need no hook: R registers them itself.

# The function that tells a framework of our models, and the one that takes them back, by package.
bridges <- function() {
  list(
    mlr3 = list(connect = connect_mlr3, disconnect = disconnect_mlr3),
    parsnip = list(connect = connect_parsnip, disconnect = disconnect_parsnip)
  )
}

.onLoad <- function(libname, pkgname) {
  for (package in names(bridges())) connect_when_loaded(package)
}

.onUnload <- function(libpath) {
  for (package in names(bridges())) {
    drop_hook(package)
    if (isNamespaceLoaded(package)) try_bridge(package, "disconnect")
  }
  library.dynam.unload("bayesrisk", libpath)
}

connect_when_loaded <- function(package) {
  if (isNamespaceLoaded(package)) try_bridge(package, "connect")
  hook <- function(...) try_bridge(package, "connect")
  setHook(packageEvent(package, "onLoad"), hook, action = "append")
}

drop_hook <- function(package) {
  event <- packageEvent(package, "onLoad")
  ours <- function(hook) identical(topenv(environment(hook)), topenv())
  setHook(event, Filter(Negate(ours), getHook(event)), action = "replace")
}

# A framework must load although its list has changed.
try_bridge <- function(package, action) {
  tryCatch(bridges()[[package]][[action]](), error = function(e) {
    problem <- conditionMessage(e)
    warn_bayesrisk("bayesrisk is not registered with {.pkg {package}}: {problem}", "bridge", NULL)
  })
}
