import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'

/** Of texts, as forms send them. `root` is for what is wrong with no field. */
type Values<Name extends string> = Record<Name, string>
type Fault = { message: string }
type Faults<Name extends string> = Partial<Record<Name | 'root', Fault>>

interface Rules<Name extends string> {
  /** `true`, or what is wrong. */
  validate?: (value: string, values: Values<Name>) => string | true
  /** The field that is judged by this one's value too. */
  deps?: Name
}

/** What a field is given, to be a field of the form. */
export interface Registration {
  name: string
  defaultValue?: string
  ref: (field: HTMLInputElement | HTMLTextAreaElement | null) => void
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => unknown
  onBlur: (...args: never[]) => unknown
}

/**
 * A form of texts. The browser keeps what is typed, as password managers expect. Nobody is scolded before they send it;
 * from then on each field is judged as it changes, and what is wrong first gets the focus.
 */
export function useForm<Name extends string>({ defaultValues }: { defaultValues: Values<Name> }) {
  const [errors, setErrors] = useState<Faults<Name>>({})
  const [isSubmitting, setIsSubmitting] = useState(false)
  const form = useRef({
    values: { ...defaultValues },
    fields: new Map<string, HTMLInputElement | HTMLTextAreaElement>(),
    rules: new Map<Name, Rules<Name>>(),
    wasSent: false,
  }).current

  /** Also what the browser has filled in without saying so. */
  function read(): Values<Name> {
    for (const [name, field] of form.fields) form.values[name as Name] = field.value
    return { ...form.values }
  }

  function shown(): Name[] {
    return [...form.rules.keys()].filter((name) => form.fields.has(name))
  }

  function faultOf(name: Name, values: Values<Name>): Fault | undefined {
    const verdict = form.rules.get(name)?.validate?.(values[name], values) ?? true
    return verdict === true ? undefined : { message: verdict }
  }

  function judge(names: readonly Name[]) {
    const values = read()
    setErrors((before) => {
      const after = { ...before }
      for (const name of names) {
        const fault = faultOf(name, values)
        if (fault === undefined) delete after[name]
        else after[name] = fault
      }
      return after
    })
  }

  function register(name: Name, rules: Rules<Name> = {}): Registration {
    form.rules.set(name, rules)
    return {
      name,
      defaultValue: form.values[name],
      ref: (field) => {
        // What was typed is there again where the field comes back.
        if (field === null) read()
        if (field === null) form.fields.delete(name)
        else form.fields.set(name, field)
      },
      onChange: () => {
        if (form.wasSent) judge(rules.deps === undefined ? [name] : [name, rules.deps])
      },
      onBlur: () => void read(),
    }
  }

  function handleSubmit(send: (values: Values<Name>) => unknown) {
    return async (event: FormEvent) => {
      event.preventDefault()
      form.wasSent = true
      const values = read()
      const faults: Faults<Name> = {}
      for (const name of shown()) {
        const fault = faultOf(name, values)
        if (fault !== undefined) faults[name] = fault
      }
      setErrors(faults)
      const first = shown().find((name) => name in faults)
      if (first !== undefined) return form.fields.get(first)?.focus()
      setIsSubmitting(true)
      try {
        await send(values)
      } finally {
        setIsSubmitting(false)
      }
    }
  }

  function setError(name: Name | 'root', fault: Fault, { shouldFocus = false } = {}) {
    setErrors((before) => ({ ...before, [name]: fault }))
    if (shouldFocus) form.fields.get(name)?.focus()
  }

  return { register, handleSubmit, setError, formState: { errors, isSubmitting } }
}
