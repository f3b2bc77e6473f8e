export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Where an operation is: its method and its path below `/api`, with `:name` for parameters. It identifies the operation. */
export type Address = `${Method} /${string}`

export function splitAddress(address: Address): { readonly method: Method; readonly path: `/${string}` } {
  const [method, path] = address.split(' ') as [Method, `/${string}`]
  return { method, path }
}

/** The path of an address below `/api` with its parameters filled in and encoded. */
export function filledPath(address: Address, params: Readonly<Record<string, unknown>> = {}): string {
  return splitAddress(address).path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
