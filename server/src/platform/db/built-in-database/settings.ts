/** Where the database listens: a Unix socket in a private folder, or a port of this machine. */
export type Endpoint =
  | { readonly folder: string }
  | {
      readonly port: number /** `null`: everyone on this machine may connect, for tests. */
      readonly password: string | null
    }

/** Settings of PostgreSQL for a small server, given on its command line so that there is no file to edit. */
export function settingsFor(endpoint: Endpoint, isDurable: boolean): string[] {
  const durability = isDurable ? 'on' : 'off'
  const settings: Record<string, string> = {
    ...('folder' in endpoint
      ? // A list: a folder with a comma in its name has to be quoted.
        { listen_addresses: '', unix_socket_directories: `"${endpoint.folder.replaceAll('"', '""')}"` }
      : { listen_addresses: '127.0.0.1', port: String(endpoint.port), unix_socket_directories: '' }),
    unix_socket_permissions: '0700',
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    shared_buffers: '32MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    // A test run has many pools on one server.
    max_connections: isDurable ? '20' : '200',
    max_wal_size: '128MB',
    min_wal_size: '32MB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    io_method: 'sync',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    autovacuum_max_workers: '1',
    jit: 'off',
    ssl: 'off',
    huge_pages: 'off',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    // The log contains what happened to the server. Errors of statements, whose texts may repeat values, go to the client alone.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '',
    log_checkpoints: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    lc_messages: 'C',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The whole environment of the database programs: nothing of the server's own, which contains secrets. */
export function environmentOf(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LC_ALL: 'C',
    TZ: 'UTC',
    // Without it no program starts on Windows.
    ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] }),
  }
}
