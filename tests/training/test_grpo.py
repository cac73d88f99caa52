"""Two steps of GRPO on the exported files with our reward: a tiny model made here, on the CPU.

It needs the extra `train`: pip install -e '.[dev,train]'.
"""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from core.workflows.studies import Study
from core.workflows.training_set import export_training_set
from core.workflows.workbench import Workbench

pytestmark = pytest.mark.train
datasets = pytest.importorskip("datasets", reason="the extra `train` is not installed")
torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
transformers = pytest.importorskip("transformers", reason="the extra `train` is not installed")
trl = pytest.importorskip("trl", reason="the extra `train` is not installed")

CHAT = "{% for message in messages %}{{ message['content'] + '\n' }}{% endfor %}"
STEPS, GENERATIONS = 2, 4


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("WANDB_MODE", "disabled")


def tiny_tokenizer() -> object:
    """A tokenizer of bytes, which reads and writes any text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {char: number for number, char in enumerate(["<pad>", "<end>", *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<end>", chat_template=CHAT
    )


def tiny_model(tokenizer: object) -> object:
    """A model of a few thousand parameters with random weights."""
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        num_key_value_heads=1,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    return transformers.LlamaForCausalLM(config)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("exported_reward", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_read_by_datasets_as_they_were_written(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    export_training_set(bench.store, study, tmp_path / "out", validation=10)
    files = {split: str(tmp_path / "out" / f"{split}.parquet") for split in ("train", "validation")}
    data = datasets.load_dataset("parquet", data_files=files, cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in data.items()} == {"train": 50, "validation": 10}
    row = data["train"][0]
    assert set(row) == {"data_source", "prompt", "ability", "reward_model", "extra_info"}
    assert [set(one) for one in row["prompt"]] == [{"role", "content"}]
    assert isinstance(row["reward_model"]["ground_truth"], list)
    assert data["train"].features == data["validation"].features


def test_grpo_takes_two_steps_on_the_exported_files_with_the_exported_reward(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    export_training_set(bench.store, study, tmp_path / "out", validation=10)
    data = datasets.load_dataset(
        "parquet",
        data_files=str(tmp_path / "out" / "train.parquet"),
        split="train",
        cache_dir=str(tmp_path / "cache"),
    )
    exported, paid = load(tmp_path / "out" / "reward.py"), []

    def reward(prompts, completions, **columns):
        """The exported reward; the model's babble is put before a box, so that it varies."""
        said = [
            [{"role": "assistant", "content": f"{one[-1]['content']} {box}"}]
            for one, box in zip(completions, BOXES * len(completions), strict=False)
        ]
        rewards = exported.reward(prompts, said, **columns)
        paid.extend(zip(rewards, (one["part"] for one in columns["extra_info"]), strict=True))
        return rewards

    tokenizer = tiny_tokenizer()
    model = tiny_model(tokenizer)
    assert sum(one.numel() for one in model.parameters()) < 10_000
    before = {name: one.detach().clone() for name, one in model.named_parameters()}
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=reward,
        processing_class=tokenizer,
        train_dataset=data,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "run"),
            max_steps=STEPS,
            per_device_train_batch_size=GENERATIONS,
            num_generations=GENERATIONS,
            max_completion_length=8,
            learning_rate=1e-2,
            use_cpu=True,
            bf16=False,
            report_to=[],
            save_strategy="no",
            logging_steps=1,
            seed=0,
        ),
    )
    trainer.train()
    assert trainer.state.global_step == STEPS
    assert len(paid) == STEPS * GENERATIONS
    for number, (got, part) in enumerate(paid):
        assert got == WORTH[BOXES[number % GENERATIONS]][part]
    logged = [one["reward"] for one in trainer.state.log_history if "reward" in one]
    means = [sum(got for got, _ in paid[at : at + 4]) / 4 for at in range(0, len(paid), 4)]
    assert logged == pytest.approx(means)
    moved = [name for name, one in model.named_parameters() if not torch.equal(one, before[name])]
    assert moved


BOXES = [r"\boxed{<DATA_UNCERTAIN>}", r"\boxed{<MODEL_UNCERTAIN>}", r"\boxed{wrong}", "no box"]
WORTH = {
    BOXES[0]: {"original": -1, "insufficient": 1, "difficult": -1},
    BOXES[1]: {"original": 0, "insufficient": -1, "difficult": 1},
    BOXES[2]: {"original": -1, "insufficient": -1, "difficult": -1},
    BOXES[3]: {"original": -1, "insufficient": -1, "difficult": -1},
}
"""What each box is worth for a problem of each part, by the rule of the reward."""
