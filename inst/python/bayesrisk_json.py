"""Writes a Bayes classifier of scikit-learn for as_bayes_model() of the R package bayesrisk."""
import json
import os

FIELDS = """classes_ feature_names_in_ class_prior_ theta_ var_ priors_ means_ rotations_ scalings_
covariance_ coef_ intercept_ solver tol class_log_prior_ feature_log_prob_ binarize
mean_ scale_ with_mean with_std""".split()


def fields_of(model):
    found = {name: getattr(model, name) for name in FIELDS if hasattr(model, name)}
    if hasattr(model, "steps"):
        steps = [step for _, step in model.steps if step is not None and step != "passthrough"]
        found["steps"] = [fields_of(step) for step in steps]
    return dict(found, type=type(model).__name__)


def write_model(model, file):
    found = dict(fields_of(model), format="scikit-learn", format_version=1)
    text = json.dumps(found, default=lambda array: array.tolist())
    partial = f"{file}.partial"  # a full disk leaves the file that is there
    with open(partial, "w") as out:  # infinite numbers are no JSON, so they become text
        json.dump(json.loads(text, parse_constant=str), out)
    os.replace(partial, file)
