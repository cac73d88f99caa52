"""What costs seconds to import and outlives no test: for processes forked after it."""

import os

# Without this word the library asks its makers for prices when it is imported. It is taken back,
# so that what is forked from here has to say it by itself.
_PRICES = "LITELLM_LOCAL_MODEL_COST_MAP"
os.environ[_PRICES] = "True"
import litellm  # noqa: E402, F401

del os.environ[_PRICES]
