# Configuration of the lit tests; lit.site.cfg.py of the build tree loads it. In a RUN line:
#   %dacead      the plugin             %cfg    the clang configuration file
#   %opt %clang %clangxx %llvm-as %FileCheck    the tools of the LLVM that the plugin was built with
#   %run         opt with the plugin:   %run -passes=dacead %s -S
import os

import lit.formats

config.name = "DaceAD"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.dacead_output

tools = config.dacead_tools
config.substitutions.append(("%run", f"{tools['%opt']} -load={tools['%dacead']} -load-pass-plugin={tools['%dacead']}"))
config.substitutions += tools.items()
config.environment["PATH"] = os.pathsep.join([config.dacead_path, os.environ["PATH"]])
