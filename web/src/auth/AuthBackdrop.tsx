import Box from '@mui/material/Box'

const pin = 'M0 0C-13-14-20-23-20-33a20 20 0 0 1 40 0c0 10-7 19-20 33Z'
const pins = [
  { x: 385, y: 205, colour: '#E5484D', scale: 0.9 },
  { x: 1010, y: 250, colour: '#E5484D', scale: 1.1 },
  { x: 560, y: 150, colour: '#2456E6', scale: 1.25 },
  { x: 250, y: 620, colour: '#E5484D', scale: 1.1 },
  { x: 1090, y: 640, colour: '#E5484D', scale: 0.9 },
  { x: 905, y: 190, colour: '#E5484D', scale: 0.8 },
] as const

/** A quiet city map with a few bright pins. */
export function AuthBackdrop() {
  return (
    <Box
      component="svg"
      viewBox="0 0 1280 800"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden
      sx={(theme) => ({
        position: 'absolute',
        inset: 0,
        width: '100%',
        height: '100%',
        '--land': '#EDF0F5',
        '--street': '#FFFFFF',
        '--water': '#D3E3F8',
        '--park': '#DCEBDD',
        ...theme.applyStyles('dark', {
          '--land': '#131824',
          '--street': '#222A3A',
          '--water': '#14263F',
          '--park': '#15251F',
        }),
      })}
    >
      <rect width="1280" height="800" fill="var(--land)" />
      <path d="M0 560c140-20 240 20 330 100s120 120 190 140H0Z" fill="var(--water)" />
      <path d="M860 0h300l60 190-170 90-180-80Z" fill="var(--park)" />
      <rect x="380" y="40" width="120" height="90" rx="20" fill="var(--park)" />
      <g fill="none" stroke="var(--street)" strokeLinecap="round">
        <path strokeWidth="22" d="M-20 300C240 250 470 330 690 270S1080 330 1300 260" />
        <path strokeWidth="22" d="M640-20c-30 200 40 330 10 500s20 220 0 340" />
        <path
          strokeWidth="12"
          d="M-20 140C260 110 420 190 660 130s420 30 640-30M-20 460c220 0 420 40 660-10s420 60 660 0M400 820c60-120 40-330 0-480S330 120 360-20M920 820c-10-160 50-280 20-440S900 120 860-20M180-20c20 180-50 300-20 500M1120-20c-20 200 60 420 20 840"
        />
        <path
          strokeWidth="6"
          d="M-20 220c200-30 300 20 420 0M480-20c20 150-30 240-10 330M760-20c10 180-30 300 0 500M690 380c160 20 300-30 600 20M690 620c180-30 300 20 600-20M480 480c20 120-20 240 10 340M1020 280c10 180-20 340 0 540M540 560c60 20 80 10 110 0"
        />
      </g>
      {pins.map(({ x, y, colour, scale }) => (
        <g key={`${x},${y}`} transform={`translate(${x} ${y}) scale(${scale})`}>
          <ellipse cx="0" cy="1" rx="9" ry="3" fill="#000" opacity="0.15" />
          <path d={pin} fill={colour} />
          <circle cx="0" cy="-33" r="8" fill="#fff" />
        </g>
      ))}
    </Box>
  )
}
