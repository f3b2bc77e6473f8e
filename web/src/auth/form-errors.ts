import { ApiError, messageOf } from '../api/api-error.ts'

interface FormErrors<Field extends string> {
  fields: Partial<Record<Field, string>>
  /** An error that belongs to no field. */
  general: string | null
}

const fieldOfRefusal: Record<string, string> = { username_taken: 'username', email_registered: 'email' }

/** Assigns the server's errors to the fields of the form. Errors of other fields become general errors. */
export function formErrorsOf<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  fallback: string,
): FormErrors<Field> {
  const isField = (name: unknown): name is Field => (fields as readonly unknown[]).includes(name)
  const general = messageOf(error, fallback)
  if (!(error instanceof ApiError)) return { fields: {}, general }

  const refused = fieldOfRefusal[error.code ?? '']
  if (isField(refused)) return { fields: { [refused]: error.message } as FormErrors<Field>['fields'], general: null }

  const placed: Partial<Record<Field, string>> = {}
  for (const { loc, msg } of error.fieldErrors) {
    const name = loc.at(-1)
    if (!isField(name)) return { fields: {}, general }
    placed[name] ??= msg
  }
  return error.fieldErrors.length > 0 ? { fields: placed, general: null } : { fields: {}, general }
}
