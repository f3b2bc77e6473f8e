import Box from '@mui/material/Box'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import { useId } from 'react'

interface Props<T extends string | number> {
  legend: string
  options: readonly { value: T; label: string }[]
  value: T
  error?: string | undefined
  onChange: (value: T) => void
}

/** Radio buttons that look like pills and are all visible. */
export function PillChoice<T extends string | number>({ legend, options, value, error, onChange }: Props<T>) {
  const id = useId()
  return (
    <FormControl
      component="fieldset"
      error={error !== undefined}
      data-invalid={error !== undefined}
      sx={{ m: 0, minWidth: 0 }}
    >
      <Box component="legend" sx={{ p: 0, mb: 1, typography: 'subtitle1', fontSize: '0.875rem' }}>
        {legend}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {options.map((option) => (
          <Box
            key={option.value}
            component="label"
            sx={(theme) => ({
              position: 'relative',
              display: 'inline-flex',
              alignItems: 'center',
              minHeight: 44,
              // Five pills fit next to each other on a phone.
              px: { xs: 1.5, sm: 2 },
              borderRadius: 999,
              border: 1,
              borderColor: 'divider',
              typography: 'body2',
              fontWeight: 700,
              cursor: 'pointer',
              transition: 'background-color 150ms ease-out',
              '&:hover': { borderColor: 'primary.main' },
              '&:has(:checked)': {
                bgcolor: 'primary.main',
                borderColor: 'primary.main',
                color: 'primary.contrastText',
              },
              '&:has(:focus-visible)': {
                outline: `3px solid ${(theme.vars ?? theme).palette.primary.main}`,
                outlineOffset: 2,
              },
            })}
          >
            <Box
              component="input"
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-describedby={error === undefined ? undefined : `${id}-error`}
              sx={{
                position: 'absolute',
                inset: 0,
                width: '100%',
                height: '100%',
                opacity: 0,
                m: 0,
                cursor: 'pointer',
              }}
            />
            {option.label}
          </Box>
        ))}
      </Box>
      {error !== undefined && (
        <FormHelperText id={`${id}-error`} sx={{ mx: 0 }}>
          {error}
        </FormHelperText>
      )}
    </FormControl>
  )
}
