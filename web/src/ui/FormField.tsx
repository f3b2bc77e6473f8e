import TextField, { type TextFieldProps } from '@mui/material/TextField'
import { type UseFormRegisterReturn } from 'react-hook-form'

export interface FormFieldProps
  extends Pick<TextFieldProps, 'label' | 'type' | 'autoComplete' | 'autoFocus' | 'slotProps'> {
  registration: UseFormRegisterReturn
  error: string | undefined
  helper?: string
}

/** A text field of a form, with what is wrong with it said beside it. */
export function FormField({ registration: { ref, name, onChange, onBlur }, error, helper, ...props }: FormFieldProps) {
  return (
    <TextField
      {...props}
      name={name}
      inputRef={ref}
      onChange={onChange}
      onBlur={onBlur}
      error={error !== undefined}
      helperText={error ?? helper}
      fullWidth
    />
  )
}
