"""Writes a Bayes classifier of scikit-learn for as_bayes_model() of the R package bayesrisk."""
import json
import os

FIELDS = """classes_ feature_names_in_ class_prior_ theta_ var_ priors_ means_ rotations_ scalings_
class_log_prior_ feature_log_prob_ binarize""".split()


def write_model(model, file):
    found = {name: getattr(model, name) for name in FIELDS if hasattr(model, name)}
    found.update(format="scikit-learn", format_version=1, type=type(model).__name__)
    text = json.dumps(found, default=lambda array: array.tolist())
    partial = f"{file}.partial"  # a full disk leaves the file that is there
    with open(partial, "w") as out:  # infinite numbers are no JSON, so they become text
        json.dump(json.loads(text, parse_constant=str), out)
    os.replace(partial, file)
