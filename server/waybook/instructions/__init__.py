"""The `.prayu` profile: discover, fingerprint, compare, pin and explain the instructions that apply to a file."""
