"""How fast near-duplicates are found, beside the product of all texts with all that it replaces.

The texts are made by rule, so that the numbers compare between machines: tasks from a few hundred
phrases, some of them with a word or two changed.
"""

import random
import time

from core.curation.similarity import clusters, similar_pairs

N_TASKS = 8_000
N_MANY = 40_000
LETTERS = "etaoinsrhldcumfpgwybvk"


def made_tasks(n: int, seed: int) -> dict[int, str]:
    """Tasks of 20 to 100 words, every tenth nearly the same as an earlier one."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(LETTERS, k=rng.randint(2, 10))) for _ in range(20_000)]
    often = [1 / (at + 1) for at in range(len(words))]  # Zipf's law
    phrases = [rng.choices(words, often, k=rng.randint(3, 12)) for _ in range(50 * n // 100)]
    tasks: list[list[str]] = []
    for at in range(n):
        if at and rng.random() < 0.1:
            task = list(rng.choice(tasks))
            task[rng.randrange(len(task))] = rng.choice(words)
        else:
            task = sum(rng.choices(phrases, k=4), rng.choices(words, often, k=rng.randint(8, 60)))
        tasks.append(task)
    return dict(enumerate(map(" ".join, tasks)))


def all_with_all_s(texts: dict[int, str]) -> float:
    """Seconds for word frequencies and the product of all texts with all, by scikit-learn."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    began = time.perf_counter()
    vectors = TfidfVectorizer(ngram_range=(1, 2)).fit_transform(texts.values())
    for start in range(0, len(texts), 500):
        ((vectors[start : start + 500] @ vectors.T) > 0.6).nnz  # noqa: B018
    return time.perf_counter() - began


def main() -> None:
    """Print the ratio to all pairs, how time grows with the tasks, and what a slider waits for."""
    few, many = made_tasks(N_TASKS, seed=1), made_tasks(N_MANY, seed=1)
    similar_pairs({1: "warm", 2: "up"})  # the imports
    began = time.perf_counter()
    similar_pairs(few)
    few_s = time.perf_counter() - began
    began = time.perf_counter()
    pairs = similar_pairs(many)
    many_s = time.perf_counter() - began
    began = time.perf_counter()
    found = clusters(pairs, threshold=0.85, order=many)
    slider_s = time.perf_counter() - began
    product_s = all_with_all_s(few)
    print(f"near-duplicates of {N_TASKS:,} tasks: {few_s / product_s:.2f} of all with all")
    print(f"  {few_s:.1f} s against {product_s:.1f} s")
    print(f"{N_MANY / N_TASKS:.0f} times the tasks: {many_s / few_s:.1f} times as long")
    print(f"  {many_s:.1f} s for {N_MANY:,} tasks, {len(pairs):,} pairs")
    print(f"{len(found):,} groups at one threshold: {slider_s / many_s:.4f} of the search")
    print(f"  {1_000 * slider_s:.0f} ms")


if __name__ == "__main__":
    main()
