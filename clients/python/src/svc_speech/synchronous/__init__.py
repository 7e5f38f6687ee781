# Generated from the asynchronous client by clients/generator/run.ts; do not edit.
"""The client."""
