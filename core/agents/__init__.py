"""Agents that say at each step how likely they are to succeed, run by Inspect AI.

Needs the optional extra `inspect`. Only these modules and the docker sandbox import Inspect, and
only those named in `needed` may be imported without it.
"""
