import { TextField, type TextFieldProps } from './TextField.tsx'
import { type Registration } from './use-form.ts'

export interface FormFieldProps
  extends Pick<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'autoFocus' | 'slotProps'> {
  registration: Registration
  error: string | undefined
  helper?: string
}

/** A text field of a form, with what is wrong with it said beside it. */
export function FormField({ registration: { ref, ...registration }, error, helper, ...props }: FormFieldProps) {
  return (
    <TextField
      {...props}
      {...registration}
      inputRef={ref}
      error={error !== undefined}
      helperText={error ?? helper}
      fullWidth
    />
  )
}
