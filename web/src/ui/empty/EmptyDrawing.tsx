import Box from '@mui/material/Box'

const pin = 'M60 18c-17.1 0-31 13.6-31 30.5C29 71 60 98 60 98s31-27 31-49.5C91 31.6 77.1 18 60 18Z'

const subjects = {
  friends: (
    <>
      <circle cx="44" cy="44" r="14" />
      <path d="M18 92c1.5-17 12-27 26-27s24.5 10 26 27" />
      <circle cx="82" cy="50" r="10.5" className="accent" />
      <path d="M79 69c13-2 22 7 23.5 23" className="accent" />
    </>
  ),
  received: (
    <>
      <path d="M20 66h22l6 12h24l6-12h22v26a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6V66Z" />
      <path d="m20 66 10-20h10M100 66 90 46H80" />
      <path d="M60 20v34M48 43l12 12 12-12" className="accent" />
    </>
  ),
  sent: (
    <>
      <path d="M102 22 18 55l32 14 14 33 38-80Z" />
      <path d="m50 69 22-19" className="accent" />
      <path d="M14 84h16M22 98h18" className="accent" />
    </>
  ),
  chat: (
    <>
      <path d="M22 26h58a8 8 0 0 1 8 8v30a8 8 0 0 1-8 8H50L34 86V72H22a8 8 0 0 1-8-8V34a8 8 0 0 1 8-8Z" />
      <path d="M32 44h38M32 56h22" />
      <path d="M98 50a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8h-6v12L78 92H62a8 8 0 0 1-7-4" className="accent" />
    </>
  ),
  pins: (
    <>
      <path d={pin} />
      <path
        d="M50 40h20a5 5 0 0 1 5 5v9a5 5 0 0 1-5 5H60l-8 7v-7h-2a5 5 0 0 1-5-5v-9a5 5 0 0 1 5-5Z"
        className="accent"
      />
      <path d="M34 100c-9 1.5-15 3.5-15 6M86 100c9 1.5 15 3.5 15 6" />
    </>
  ),
} as const

/** The line drawings of the brand, with one stroke width and one coral accent. */
export function EmptyDrawing({ subject }: { subject: keyof typeof subjects }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 120 120"
      aria-hidden
      sx={{
        width: 128,
        height: 128,
        fill: 'none',
        stroke: (theme) => theme.vars.palette.primary.main,
        strokeWidth: 3,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        '& .accent': { stroke: '#E5484D' },
      }}
    >
      {subjects[subject]}
    </Box>
  )
}
