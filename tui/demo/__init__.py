"""The deployment story, replayed with a scripted agent and a simulated host."""
