import type { Machine } from './machine.ts'

const account = { email: 'ann@example.org', password: 'correct horse battery' }

/** Signs Ann up, and resolves with the status of the answer. */
export async function signUp(machine: Machine): Promise<number> {
  const json = { ...account, username: 'ann' }
  return (await machine.call({ method: 'POST', path: '/api/auth/signup', json })).status
}

/** Signs Ann in, and resolves with the status of the answer. */
export async function logIn(machine: Machine): Promise<number> {
  return (await machine.call({ method: 'POST', path: '/api/auth/login', json: account })).status
}
