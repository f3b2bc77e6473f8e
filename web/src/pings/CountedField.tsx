import Box from '@mui/material/Box'
import { type UseFormRegisterReturn } from 'react-hook-form'
import { TextField } from '../ui/TextField.tsx'
import { lengthOf } from './create-ping.rules.ts'

interface Props {
  registration: UseFormRegisterReturn
  label: string
  placeholder?: string
  value: string
  max: number
  /** From this length on the counter shows; always where left out. */
  countFrom?: number
  error: string | undefined
  autoFocus?: boolean
  isLong?: boolean
}

/** A text field with `n/50` beneath. What is too long can still be typed and is then said to be, so that nothing pasted is cut. */
export function CountedField({ registration, label, placeholder, value, max, countFrom = 0, error, ...rest }: Props) {
  const { ref, name, onChange, onBlur } = registration
  const length = lengthOf(value)
  const count = length >= countFrom && `${length}/${max}`
  return (
    <TextField
      name={name}
      inputRef={ref}
      onChange={onChange}
      onBlur={onBlur}
      value={value}
      label={label}
      fullWidth
      autoComplete="off"
      error={error !== undefined || length > max}
      {...(placeholder !== undefined && { placeholder })}
      {...(rest.autoFocus && { autoFocus: true })}
      {...(rest.isLong && { multiline: true, minRows: 2, maxRows: 6 })}
      helperText={
        (error !== undefined || count) && (
          <Box component="span" sx={{ display: 'flex', gap: 2 }}>
            <Box component="span" sx={{ flex: 1 }}>
              {error}
            </Box>
            {count}
          </Box>
        )
      }
    />
  )
}
