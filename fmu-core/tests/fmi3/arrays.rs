//! Native arrays: the numbers of the scalars under fewer references.

use crate::fmi3::importer::*;

fn with_arrays() -> Fmu {
    let mut description = three_balls_with_three_indicators();
    description.interface.arrays = true;
    Fmu::new(description)
}

fn with_scalars() -> Fmu {
    Fmu::new(three_balls_with_three_indicators())
}

/// Values of an array.
fn array<const N: usize>(importer: &Importer, reference: u32) -> [f64; N] {
    let mut values = [f64::NAN; N];
    let status = importer.get(&[reference], &mut values);
    importer.fine(status);
    values
}

#[test]
fn an_array_has_the_values_of_the_scalars() {
    let (arrays, scalars) = (with_arrays(), with_scalars());
    let [many, one] = [&arrays, &scalars].map(|fmu| fmu.model_exchange());
    let compare = || {
        for (name, size) in [
            ("ball.position", 3),
            ("left.orientation", 4),
            ("right.velocity", 3),
            ("der(ball.velocity)", 3),
            ("der(ball.orientation)", 4),
            ("world.gravity", 3),
            ("ball.contact_torque", 3),
            ("contact.indicator", 3),
        ] {
            let mut found = vec![f64::NAN; size];
            let status = many.get(&[reference(&arrays, name)], &mut found);
            assert_eq!(status, fmi3OK, "{name}: {:?}", many.log());
            for (index, value) in found.iter().enumerate() {
                let component = format!("[{}]", index + 1);
                let scalar = match name.strip_suffix(')') {
                    Some(inner) => format!("{inner}{component})"),
                    None => format!("{name}{component}"),
                };
                assert_eq!(*value, one.value(reference(&scalars, &scalar)), "{scalar}");
            }
        }
        assert_eq!(many.continuous_states(), one.continuous_states());
        assert_eq!(many.derivatives(), one.derivatives());
        assert_eq!(many.event_indicators(), one.event_indicators());
    };
    many.enter_initialization();
    one.enter_initialization();
    compare();
    for importer in [&many, &one] {
        importer.ok(fmi3ExitInitializationMode);
        importer.leave_event_mode();
    }
    compare();
}

/// xx, yy, zz, xy, xz, yz.
#[test]
fn the_six_entries_of_an_inertia_stand_in_the_documented_order() {
    let (arrays, scalars) = (with_arrays(), with_scalars());
    let [many, one] = [&arrays, &scalars].map(|fmu| fmu.model_exchange());
    let given = [0.4, 0.5, 0.6, 0.01, 0.02, 0.03];
    let inertia = reference(&arrays, "ball.inertia");
    assert_eq!(many.set(&[inertia], &given), fmi3OK, "{:?}", many.log());
    assert_eq!(array(&many, inertia), given);
    let entries = ["1,1", "2,2", "3,3", "1,2", "1,3", "2,3"];
    for (entry, value) in entries.into_iter().zip(given) {
        let scalar = reference(&scalars, &format!("ball.inertia[{entry}]"));
        one.fine(one.set(&[scalar], &[value]));
    }
    // Spun about a skew axis, the two turn alike.
    let spin = [1.0, 2.0, 3.0];
    let velocity = reference(&arrays, "ball.angular_velocity");
    many.fine(many.set(&[velocity], &spin));
    for (i, value) in spin.into_iter().enumerate() {
        let scalar = reference(&scalars, &format!("ball.angular_velocity[{}]", i + 1));
        one.fine(one.set(&[scalar], &[value]));
    }
    for importer in [&many, &one] {
        importer.start_integration();
    }
    let derivatives = many.derivatives();
    assert_eq!(derivatives, one.derivatives());
    assert!(derivatives[10..13].iter().all(|x| *x != 0.0));
}

#[test]
fn scalars_and_arrays_are_read_and_set_in_one_call() {
    let fmu = with_arrays();
    let importer = fmu.model_exchange();
    let references = [
        "ball.mass",
        "ball.position",
        "contact.k_red",
        "ball.orientation",
    ]
    .map(|name| reference(&fmu, name));
    let given = [2.5, 1.0, 2.0, 3.0, 0.5, 0.0, 1.0, 0.0, 0.0];
    importer.fine(importer.set(&references, &given));
    let mut found = [f64::NAN; 9];
    importer.fine(importer.get(&references, &mut found));
    assert_eq!(found, given);
    importer.initialize();
    let states = importer.continuous_states();
    assert_eq!(states[..7], [1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn a_wrong_number_of_values_is_refused_with_the_right_one() {
    let fmu = with_arrays();
    let importer = fmu.model_exchange();
    let references = ["ball.mass", "ball.position"].map(|name| reference(&fmu, name));
    for count in [2, 3, 5] {
        let mut values = vec![7.0; count];
        assert_eq!(importer.get(&references, &mut values), fmi3Error);
        let expected =
            format!("{count} values for 2 value references, whose variables have 4 values");
        importer.says(&[&expected]);
        importer.refused(importer.set(&references, &values), &[&expected]);
    }
    assert_eq!(array(&importer, references[1]), [0.0, 0.0, 0.1 + HEIGHT]);
}

#[test]
fn a_refused_element_is_named_and_leaves_its_array_as_it_was() {
    let fmu = with_arrays();
    let importer = fmu.model_exchange();
    let gravity = reference(&fmu, "world.gravity");
    let before: [f64; 3] = array(&importer, gravity);
    assert_eq!(importer.set(&[gravity], &[1.0, f64::NAN, 2.0]), fmi3Error);
    importer.says(&["world.gravity[2] is NaN"]);
    assert_eq!(array(&importer, gravity), before);
    let indicator = reference(&fmu, "contact.indicator");
    assert_eq!(importer.set(&[indicator], &[1.0; 3]), fmi3Error);
    let reason = importer.reason();
    assert!(
        reason.contains("contact.indicator (value reference"),
        "{reason}"
    );
}

/// Element of the dependent, known variable, element of the known variable.
type Found = Vec<(usize, u32, usize)>;

fn dependencies(importer: &Importer, reference: u32) -> Found {
    let mut count = 0;
    // SAFETY: pointers and lengths are those of local variables.
    unsafe {
        let status =
            fmi3GetNumberOfVariableDependencies(importer.instance, reference, &raw mut count);
        importer.fine(status);
        let (mut of_dependent, mut of_known) = (vec![9; count], vec![9; count]);
        let mut known = vec![9; count];
        let mut kinds = vec![fmi3DependencyKind::fmi3Constant; count];
        let status = fmi3GetVariableDependencies(
            importer.instance,
            reference,
            of_dependent.as_mut_ptr(),
            known.as_mut_ptr(),
            of_known.as_mut_ptr(),
            kinds.as_mut_ptr(),
            count,
        );
        importer.fine(status);
        assert!(
            kinds
                .iter()
                .all(|k| *k == fmi3DependencyKind::fmi3Dependent)
        );
        let pairs = of_dependent.into_iter().zip(known).zip(of_known);
        pairs.map(|((a, b), c)| (a, b, c)).collect()
    }
}

/// [FMI 3.0] section 2.2.8: elements count from 1, 0 means the whole variable.
#[test]
fn dependencies_tell_the_elements_of_arrays_apart() {
    let fmu = with_arrays();
    let importer = fmu.integrating();
    let named = |name: &str| reference(&fmu, name);
    let velocity = named("ball.velocity");
    let exact = [(1, velocity, 1), (2, velocity, 2), (3, velocity, 3)];
    assert_eq!(dependencies(&importer, named("der(ball.position)")), exact);
    // q' = q omega / 2: each of 4 components by 4 of the quaternion and 3 of the angular velocity.
    let turned = dependencies(&importer, named("der(ball.orientation)"));
    let (q, omega) = (named("ball.orientation"), named("ball.angular_velocity"));
    let expected: Found = (1..=4)
        .flat_map(|element| {
            let of_q = (1..=4).map(move |i| (element, q, i));
            of_q.chain((1..=3).map(move |i| (element, omega, i)))
        })
        .collect();
    assert_eq!(turned, expected);
    // A scalar that depends on arrays.
    let count = dependencies(&importer, named("contact.count"));
    assert!(
        count
            .iter()
            .all(|(element, _, known)| *element == 0 && *known > 0)
    );
    assert!(count.contains(&(0, named("ball.position"), 3)));
    // The mass is a scalar known; it counts before initialisation ends.
    let fresh = fmu.model_exchange();
    let start = dependencies(&fresh, named("der(ball.velocity)"));
    let mass = named("ball.mass");
    for element in 1..=3 {
        assert!(start.contains(&(element, mass, 0)), "{element}");
    }
}

/// The integration is one of the instance's answers only.
#[test]
fn arrays_and_scalars_give_one_motion_to_the_bit() {
    let run = |fmu: &Fmu| {
        let importer = fmu.integrating();
        Runge::new(&importer, 1e-4, 0).run(2000)
    };
    assert_eq!(run(&with_arrays()), run(&with_scalars()));
}
