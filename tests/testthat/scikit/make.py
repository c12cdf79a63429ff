"""Models of scikit-learn with their probabilities: python3 make.py FOLDER PATH_OF_bayesrisk_json"""
import json
import sys

import numpy as np
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

folder, module = sys.argv[1:3]
sys.path.insert(0, module)
from bayesrisk_json import write_model  # noqa: E402

numbers, species = load_iris(return_X_y=True)
numbers, species = numbers[::3], np.array(["a", "b", "c"])[species[::3]]
levels = np.floor(numbers - numbers.min(0)).astype(int)
counts = np.random.default_rng(1).poisson(0.7 + (species == "a")[:, None], (50, 12))
units = numbers * [1, 1000, 1, 0.01]


def scaled(*steps):
    return make_pipeline(StandardScaler(), *steps)


models = [
    (GaussianNB(), numbers, ""),
    (GaussianNB(priors=[0.2, 0.3, 0.5], var_smoothing=0.01), numbers, "_priors"),
    (QuadraticDiscriminantAnalysis(), numbers, ""),
    (QuadraticDiscriminantAnalysis(reg_param=0.3), numbers, "_regular"),
    (CategoricalNB(alpha=0.5), levels, ""),
    (BernoulliNB(), counts, ""),
    (MultinomialNB(), counts, ""),
    (MultinomialNB(fit_prior=False, alpha=0.1), counts, "_uniform"),
    (ComplementNB(), counts, ""),
    (ComplementNB(norm=True), counts, "_norm"),
    (LDA(store_covariance=True), units, "_svd"),
    (LDA(solver="lsqr"), units, "_lsqr"),
    (LDA(solver="lsqr", shrinkage="auto", priors=[0.2, 0.3, 0.5]), units, "_auto"),
    (LDA(solver="eigen", shrinkage=0.3), units, "_eigen"),
    (LDA(store_covariance=True), units, "_two"),
    (scaled(GaussianNB()), units, "_naive"),
    (scaled("passthrough", QuadraticDiscriminantAnalysis()), units, "_qda"),
    (scaled(StandardScaler(with_mean=False), LDA(store_covariance=True)), units, "_svd"),
    (scaled(LDA(solver="lsqr", shrinkage="auto")), units, "_auto"),
    (make_pipeline(StandardScaler(with_std=False), LDA(solver="eigen")), units, "_eigen"),
]
for model, x, label in models:
    classes = np.where(species == "c", "b", species) if label == "_two" else species
    model.fit(x, classes)
    file = "%s/%s%s.json" % (folder, type(model).__name__, label)
    write_model(model, file)
    x = x[::5]
    found = dict(json.load(open(file)), new=x.tolist(), prob=model.predict_proba(x).tolist())
    json.dump(found, open(file, "w"))
