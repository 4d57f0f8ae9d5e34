#!/usr/bin/env node
// Starts the program with the arguments given, and ends as it does.
'use strict';
const { spawn } = require('node:child_process');
const { program } = require('./index.cjs');

let child;
try {
  child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
child.on('error', (error) => {
  console.error(`guildbox: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // A terminal sends Ctrl+C to the program by itself.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
