import type { UseFormRegisterReturn } from 'react-hook-form'
import { TextField, type TextFieldProps } from './TextField.tsx'

export interface FormFieldProps
  extends Pick<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'autoFocus' | 'slotProps'> {
  registration: UseFormRegisterReturn
  error: string | undefined
  helper?: string
}

/** A text field of a form that shows its error, or else a hint, below it. */
export function FormField({ registration: { ref, name, onChange, onBlur }, error, helper, ...props }: FormFieldProps) {
  return (
    <TextField
      {...props}
      name={name}
      onChange={onChange}
      onBlur={onBlur}
      inputRef={ref}
      error={error !== undefined}
      helperText={error ?? helper}
      fullWidth
    />
  )
}
