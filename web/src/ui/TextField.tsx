import FormControl, { type FormControlProps } from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel, { type InputLabelProps } from '@mui/material/InputLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type ReactNode, useId } from 'react'

type Input =
  | 'autoComplete'
  | 'autoFocus'
  | 'defaultValue'
  | 'inputRef'
  | 'maxRows'
  | 'minRows'
  | 'multiline'
  | 'name'
  | 'onBlur'
type MoreInput = 'onChange' | 'onKeyDown' | 'placeholder' | 'type' | 'value'

export interface TextFieldProps
  extends Pick<OutlinedInputProps, Input | MoreInput>,
    Pick<FormControlProps, 'disabled' | 'error' | 'fullWidth' | 'id' | 'required' | 'size' | 'sx'> {
  label?: ReactNode
  helperText?: ReactNode
  slotProps?: {
    input?: Partial<OutlinedInputProps>
    htmlInput?: OutlinedInputProps['inputProps']
    inputLabel?: Partial<InputLabelProps>
  }
}

/** MUI's text field without the variants that this app does not use, such as selects and other outlines. */
export function TextField({
  id: givenId,
  label,
  helperText,
  slotProps = {},
  disabled,
  error,
  fullWidth,
  required,
  size,
  sx,
  ...input
}: TextFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const helperId = helperText ? `${id}-helper-text` : undefined
  const { shrink } = slotProps.inputLabel ?? {}
  return (
    <FormControl {...defined({ disabled, error, fullWidth, required, size, sx })}>
      {label !== undefined && label !== '' && (
        <InputLabel htmlFor={id} id={`${id}-label`} {...slotProps.inputLabel}>
          {label}
        </InputLabel>
      )}
      <OutlinedInput
        id={id}
        aria-describedby={helperId}
        label={label}
        {...defined({ fullWidth, notched: shrink, inputProps: slotProps.htmlInput })}
        {...input}
        {...slotProps.input}
      />
      {helperText && <FormHelperText id={helperId}>{helperText}</FormHelperText>}
    </FormControl>
  )
}

/** Removes undefined properties, because MUI treats an explicit undefined as a given value. */
function defined<T extends object>(props: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as never
}
