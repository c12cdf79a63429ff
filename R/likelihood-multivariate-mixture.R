# Joint blocks of numeric features by mixtures of multivariate Gaussians: the record of the engine's
# type multivariate_mixture. The parameters are those of a multivariate Gaussian with a row for each
# component, class by class.

multivariate_mixture_record <- function() {
  likelihood_record(
    iterates = TRUE,
    name = "multivariate_mixture", kind = "numeric", support = "line", joint = TRUE,
    options = mixture_options,
    remedies = mixture_block_remedies,
    cases = function(bank, statistics) sum(statistics$weight),
    coefficients = block_components,
    summary = summarise_components,
    tidy = tidy_by_block(tidy_components),
    moments = block_moments,
    normals = function(parameters, j) max(parameters$components),
    lender = "the same class or the other classes",
    single = mixture_marginals,
    log_density = components_log_density
  )
}

mixture_block_remedies <- function(problems) {
  c(
    remedy_dependent(problems), remedy_spike(problems), remedy_overflow(problems),
    remedy(problems, "empty", "Drop a feature that is not known, or the class."),
    if (any(problems$problem %in% c("constant", "too_small", "singular"))) {
      "{.code degenerate = \"pool\"} lets such a class borrow from the other classes."
    }
  )
}

# For each class its weights, a component x feature matrix of means, and a covariance of each
# component: feature x feature x component.
block_components <- function(bank, parameters, features, classes) {
  labels <- vapply(features, `[[`, "", "name")
  last <- cumsum(parameters$components)
  by_class <- function(values_of) {
    stats::setNames(Map(function(count, last) {
      values_of(seq(last - count + 1L, last))
    }, parameters$components, last), classes)
  }
  left_out <- parameters$left_out == 1L
  mean <- open_as_na(parameters$mean + parameters$mean_low)
  list(list(
    weights = by_class(function(i) exp(parameters$log_weight[i])),
    mean = by_class(function(i) {
      matrix(mean[i, ], length(i), dimnames = list(component = seq_along(i), feature = labels))
    }),
    covariance = by_class(function(i) {
      covariance <- vapply(i, function(t) {
        s <- open_as_na(crossprod(parameters$factor[[min(t, length(parameters$factor))]]))
        diag(s)[left_out] <- 0
        s
      }, matrix(0, length(labels), length(labels)))
      array(
        covariance, c(rep(length(labels), 2L), length(i)),
        list(feature = labels, feature = labels, component = seq_along(i))
      )
    })
  ))
}

# The components of all classes as the classes of a Gaussian block, and their weights.
summarise_components <- function(bank, coefficients) {
  component <- sequence(lengths(coefficients$weights))
  class <- rep(names(coefficients$weights), lengths(coefficients$weights))
  labels <- paste(class, component)
  covariance <- unlist(lapply(coefficients$covariance, function(s) {
    lapply(seq_len(dim(s)[[3L]]), function(t) {
      matrix(s[, , t], nrow(s), dimnames = dimnames(s)[1:2])
    })
  }), recursive = FALSE)
  mean <- do.call(rbind, unname(coefficients$mean))
  dimnames(mean) <- list(component = labels, feature = colnames(mean))
  weights <- matrix(
    unlist(coefficients$weights), length(labels), dimnames = list(component = labels, "weight")
  )
  gaussian <- summarise_covariance(bank, list(
    mean = mean, covariance = stats::setNames(covariance, labels)
  ))
  c(list(weights = weights), gaussian)
}

tidy_components <- function(coefficients, name, classes) {
  parts <- lapply(seq_len(classes), function(k) {
    mean <- coefficients$mean[[k]]
    count <- nrow(mean)
    covariance <- lapply(seq_len(count), function(t) {
      s <- coefficients$covariance[[k]][, , t]
      matrix(s, ncol(mean))
    })
    rows <- tidy_covariance(list(mean = mean, covariance = covariance), name, count)
    weights <- tidy_rows(coefficients$weights[[k]], count, name, NA_character_, "weight")
    rows <- Map(c, weights, rows)
    rows$level <- as.character(rows$class)
    rows$class <- rep(k, length(rows$class))
    rows
  })
  do.call(Map, c(list(c), parts))
}

# The mixture of one feature: its means and standard deviations in the block, and its values.
mixture_marginals <- function(bank, state, j) {
  parameters <- state$parameters
  statistics <- state$statistics
  sd <- block_moments(bank, parameters, j)$sd
  points <- lapply(statistics$points, function(rows) {
    value <- sort(unique(rows[, j]))
    weight <- rowsum(rows[, ncol(rows)], match(rows[, j], value))
    unname(cbind(value, weight))
  })
  gaussian <- gaussian_marginals(bank, state, j)$statistics
  list(
    parameters = list(
      components = parameters$components, log_weight = parameters$log_weight,
      mean = parameters$mean[, j] + parameters$mean_low[, j], sd = sd,
      left_out = left_out_mark(parameters, j)
    ),
    statistics = c(list(points = points, step = rep(0, length(points))), gaussian)
  )
}

# Each component is a class of a multivariate Gaussian.
components_log_density <- function(bank, parameters, to) {
  components <- parameters$components
  if (sum(components) > most_normals) abort_no_text(to, "has too many components")
  block <- block_log_density(bank, parameters, to)
  kept <- kept_members(parameters, to)
  near <- block[c("range", "limit")]
  if (!length(kept)) return(c(near, list(terms = rep("0", length(components)))))
  class <- factor(rep(seq_along(components), components))
  sound <- block$terms != to$impossible
  weighted <- sprintf("%s + (%s)", to$number(parameters$log_weight), block$terms)
  missing <- paste(to$gone[kept], collapse = to$and)
  sums <- log_sums(split(weighted[sound], class[sound]), missing, to)
  c(near, list(
    terms = sums$terms, least = block$least, covered = block$covered,
    stages = c(block$stages, sums$stages)
  ))
}
