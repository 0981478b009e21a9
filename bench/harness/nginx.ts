import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './postgresql.ts'
import { notInstalled } from './run-program.ts'

/** A web server that serves files from memory, on one core. */
export type Nginx = { readonly url: string; readonly stop: () => Promise<void> }

type Served = {
  /** Content by path, such as `/a/b`. */
  readonly files: Readonly<Record<string, Buffer>>
  readonly contentType: string
  readonly core: number
}

/** @throws Error if nginx is not installed or does not start */
export async function startNginx({ files, contentType, core }: Served): Promise<Nginx> {
  if (spawnSync('nginx', ['-v']).error !== undefined) throw notInstalled('nginx')
  const folder = await mkdtemp(join(tmpdir(), 'hub-bench-nginx-'))
  await chmod(folder, 0o755)
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'files', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration({ folder, port, contentType }))
  const args = ['-c', String(core), 'nginx', '-p', folder, '-c', file, '-e', 'stderr']
  const server = spawn('taskset', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  server.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const gone = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGQUIT')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${String(port)}`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { url, stop }
    if (server.exitCode !== null) break
    await pause(50)
  }
  server.kill('SIGQUIT')
  throw new Error(`nginx did not start:\n${complaints}`)
}

type Setup = { readonly folder: string; readonly port: number; readonly contentType: string }

/**
 * Returns a configuration for maximum speed: no log, cached file handles and metadata, and bytes
 * copied by the kernel.
 */
function configuration({ folder, port, contentType }: Setup): string {
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  open_file_cache_valid 1h;
  default_type "${contentType}";
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${String(port)};
    root ${folder}/files;
    add_header Cache-Control "public, max-age=20";
  }
}
`
}
