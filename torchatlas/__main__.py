"""Run the command line as `python -m torchatlas`."""

from torchatlas.ui.cli.program import main

if __name__ == "__main__":
    main()
