"""Requirements kept verbatim for a thread, and the proposals that wait for the person's answer."""
