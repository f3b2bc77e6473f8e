import Box from '@mui/material/Box'

/** A map pin whose hole is a speech bubble. The same outline as `public/icon.svg`. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 48 48"
      aria-hidden
      sx={{
        width: size,
        height: size,
        flexShrink: 0,
        display: 'block',
        fill: (theme) => theme.vars.palette.primary.main,
      }}
    >
      <path
        fillRule="evenodd"
        d="M24 3C14.6 3 7 10.4 7 19.6 7 31.8 21.6 43.8 23 44.9a1.6 1.6 0 0 0 2 0C26.4 43.8 41 31.8 41 19.6 41 10.4 33.4 3 24 3Zm-6.5 9h13a4.5 4.5 0 0 1 4.5 4.5v5.5a4.5 4.5 0 0 1-4.5 4.5h-4.7l-5 4.3a.9.9 0 0 1-1.5-.7v-3.6h-1.8a4.5 4.5 0 0 1-4.5-4.5v-5.5a4.5 4.5 0 0 1 4.5-4.5Z"
      />
    </Box>
  )
}
