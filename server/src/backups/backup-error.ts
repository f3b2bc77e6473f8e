/** An error that the operator can fix. Only its sentence is shown. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** An encrypted backup cannot be opened with the given identities. Its sentence is shown without another one before it. */
export class IdentityError extends BackupError {
  override name = 'IdentityError'
}

export function damaged(path: string): BackupError {
  return new BackupError(`The backup ${path} is damaged or not complete. Nothing was changed.`)
}
