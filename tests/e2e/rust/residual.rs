// What is differentiated: slices with checked bounds, iterators, closures, an enum with data, a trait object, a struct.
#![no_std]

extern "C" {
    fn exp(x: f64) -> f64;
    fn abort() -> !;
}

#[panic_handler]
fn stop(_: &core::panic::PanicInfo) -> ! {
    unsafe { abort() }
}

#[derive(Clone, Copy)]
struct Model {
    rate: f64,
    offset: f64,
}

impl Model {
    fn at(&self, t: f64) -> f64 {
        self.offset + unsafe { exp(self.rate * t) }
    }
}

enum Loss {
    Square,
    Huber(f64),
}

fn loss(kind: &Loss, r: f64) -> f64 {
    match kind {
        Loss::Square => r * r,
        Loss::Huber(limit) if r.abs() > *limit => limit * (2.0 * r.abs() - limit),
        Loss::Huber(_) => r * r,
    }
}

trait Penalty {
    fn of(&self, a: f64) -> f64;
}

struct Ridge(f64);
struct Cubic;

impl Penalty for Ridge {
    fn of(&self, a: f64) -> f64 {
        self.0 * a * a
    }
}

impl Penalty for Cubic {
    fn of(&self, a: f64) -> f64 {
        a * a * a
    }
}

/// The sum of losses of a model with the parameters p over n measurements; "work" is overwritten.
#[no_mangle]
pub extern "C" fn residual(p: &[f64; 3], data: *const f64, work: *mut f64, n: usize) -> f64 {
    let data = unsafe { core::slice::from_raw_parts(data, n) };
    let work = unsafe { core::slice::from_raw_parts_mut(work, n) };
    let model = Model { rate: p[0], offset: p[1] };
    let shift = p[2];
    for (i, w) in work.iter_mut().enumerate() {
        *w = model.at(i as f64 * 0.1) * shift;
    }
    let kinds = [Loss::Square, Loss::Huber(0.5)];
    let mut sum = 0.0;
    for (i, (w, d)) in work.iter().zip(data).enumerate() {
        sum += loss(&kinds[i % 2], w - d);
    }
    let mut ring = [0.0; 4];
    for i in 0..12 {
        ring[i % 4] = ring[(i + 1) % 4] * 0.5 + p[i % 3] * work[i % n];
    }
    let ridge = Ridge(p[1]);
    let penalties: [&dyn Penalty; 2] = [&ridge, &Cubic];
    for (i, a) in p.iter().enumerate() {
        sum += penalties[i % 2].of(*a);
    }
    sum + ring.iter().sum::<f64>()
}
