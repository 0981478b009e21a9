#!/usr/bin/env node
// The `hub` command. It is plain JavaScript, so that every Node ≥ 20 can start it; the hub itself
// is TypeScript in a checkout, which Node runs from version 24 on, and JavaScript in the package.
// An older Node hands over to the one that `npm ci` brings as the development dependency `node`.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allocator, hubFlags } from './node-options.js'

const needed = 24
const source = new URL('../src/main.ts', import.meta.url)
const isCheckout = existsSync(source)
const main = isCheckout ? source : new URL('../src/main.js', import.meta.url)

// Flags and memory settings hold from the first line of JavaScript on, so the process starts itself anew once.
const isSettled = hubFlags.every((flag) => process.execArgv.includes(flag))
const environment = { ...allocator, ...process.env }
const isRightNode = Number.parseInt(process.versions.node, 10) >= needed

const help = writtenHelp(process.argv.slice(2))

if (help !== undefined) {
  console.log(help)
} else if (isRightNode && isSettled) {
  endWithNpm(() => process.kill(process.pid, 'SIGTERM'))
  await import(main.href)
} else if (isRightNode && process.execve !== undefined) startAnew()
else handOver(isRightNode ? process.execPath : fileURLToPath(new URL(nodePath(), import.meta.url)))

/** The help of a command, as `npm run docs` wrote it: any Node shows it without loading the hub. */
function writtenHelp(args) {
  if (!['--help', '-h'].includes(args.at(-1))) return undefined
  const texts = JSON.parse(readFileSync(new URL('../src/cli/help.json', import.meta.url), 'utf8'))
  const command = args.slice(0, -1).join(' ')
  return Object.hasOwn(texts, command) ? texts[command] : undefined
}

function nodePath() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  return `../node_modules/node/bin/${file}`
}

/** The same process, from its beginning: what signals it, and what it writes to, stay. */
function startAnew() {
  const { execPath, execArgv, argv } = process
  process.execve(execPath, [execPath, ...execArgv, ...hubFlags, ...argv.slice(1)], environment)
}

/** Runs the hub on another Node with the same arguments and streams, and ends as it ends. */
function handOver(node) {
  if (!existsSync(node)) return explain()
  const child = spawn(node, [...hubFlags, fileURLToPath(main), ...process.argv.slice(2)], {
    env: environment,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  endWithNpm(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(
      `The Node of this checkout does not start (${error.message}). Run \`npm ci\` again.`,
    )
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * npm and npx run a command in a shell. Told to end, they end, and leave the shell and the command behind as
 * children of another process.
 */
function endWithNpm(end) {
  if (process.env.npm_execpath === undefined) return
  const ancestors = ancestorsNow()
  const watch = setInterval(() => {
    if (ancestorsNow() === ancestors) return
    clearInterval(watch)
    end()
  }, 500)
  watch.unref()
}

/** The parent and, where `/proc` tells, its parent. */
function ancestorsNow() {
  const parent = process.ppid
  try {
    const [, , above] =
      / (\S) (\d+) /.exec(readFileSync(`/proc/${parent}/stat`, 'utf8').replace(/^.*\)/s, '')) ?? []
    return `${parent} ${above}`
  } catch {
    return String(parent)
  }
}

function explain() {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const remedy = isCheckout
    ? `Run \`npm ci\` in ${folder} (it brings a Node ${needed} with it), or install`
    : 'Install'
  console.error(`The hub needs Node ${needed} or later; this is ${process.version}.
${remedy} Node ${needed} yourself.`)
  process.exitCode = 1
}
