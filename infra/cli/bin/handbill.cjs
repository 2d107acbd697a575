#!/usr/bin/env node
// A file of its own, because npm links commands before the build.
require('node:module').enableCompileCache?.();
require('../built/handbill.cjs');
